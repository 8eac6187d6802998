/** What a command ends with: exit codes and the one line that says why. */
@NullMarked
package dev.holdfast.cli.exit;

import org.jspecify.annotations.NullMarked;
