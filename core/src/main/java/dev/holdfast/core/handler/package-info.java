/** One class per command, or per few that are alike: it decides, and asks for transitions. */
@NullMarked
package dev.holdfast.core.handler;

import org.jspecify.annotations.NullMarked;
