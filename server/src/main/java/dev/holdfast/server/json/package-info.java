/** JSON as the edges read and write it: strictly, and with errors in one shape. */
@NullMarked
package dev.holdfast.server.json;

import org.jspecify.annotations.NullMarked;
