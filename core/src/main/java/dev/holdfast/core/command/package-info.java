/** What can be asked of the machine: one record per command. */
@NullMarked
package dev.holdfast.core.command;

import org.jspecify.annotations.NullMarked;
