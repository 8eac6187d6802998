/**
 * What an operator decides about one node: read once, from a file, the environment and the command line, and
 * checked as a whole.
 *
 * <p>Only what may differ between nodes is here. What all of them must agree on (limits, margins, windows) is
 * replicated state and is changed by a command.
 */
@NullMarked
package dev.holdfast.server.settings;

import org.jspecify.annotations.NullMarked;
