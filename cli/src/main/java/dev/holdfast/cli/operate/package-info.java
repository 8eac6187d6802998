/** Commands for those who run a cluster. */
@NullMarked
package dev.holdfast.cli.operate;

import org.jspecify.annotations.NullMarked;
