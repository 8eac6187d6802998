@NullMarked
package dev.holdfast.server.access;

import org.jspecify.annotations.NullMarked;
