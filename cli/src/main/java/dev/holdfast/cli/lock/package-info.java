/** Commands for those who use locks. */
@NullMarked
package dev.holdfast.cli.lock;

import org.jspecify.annotations.NullMarked;
