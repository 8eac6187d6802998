@NullMarked
package dev.holdfast.server.token;

import org.jspecify.annotations.NullMarked;
