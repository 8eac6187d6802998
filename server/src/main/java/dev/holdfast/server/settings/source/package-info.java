/**
 * Reads the settings of a node from a file, environment variables and flags, and checks them as a whole.
 */
@NullMarked
package dev.holdfast.server.settings.source;

import org.jspecify.annotations.NullMarked;
