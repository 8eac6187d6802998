/** What operators ask of a node. */
@NullMarked
package dev.holdfast.server.admin;

import org.jspecify.annotations.NullMarked;
