/** What every module must keep to. */
@NullMarked
package dev.holdfast.architecture;

import org.jspecify.annotations.NullMarked;
