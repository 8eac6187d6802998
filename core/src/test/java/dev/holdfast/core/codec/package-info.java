@NullMarked
package dev.holdfast.core.codec;

import org.jspecify.annotations.NullMarked;
