@NullMarked
package dev.holdfast.server.fair;

import org.jspecify.annotations.NullMarked;
