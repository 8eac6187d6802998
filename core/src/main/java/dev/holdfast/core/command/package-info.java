/** What can be asked of the machine: one record per command, and the batch that a log entry carries. */
@NullMarked
package dev.holdfast.core.command;

import org.jspecify.annotations.NullMarked;
