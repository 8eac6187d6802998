/**
 * What an operator decides about one node: read once, when it starts, and checked as a whole.
 *
 * <p>Only what may differ between nodes is here. What all of them must agree on (limits, margins, windows) is
 * replicated state and is changed by a command.
 */
@NullMarked
package dev.holdfast.server.settings;

import org.jspecify.annotations.NullMarked;
