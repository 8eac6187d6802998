/** How commands write: tables, JSON, names, colours. */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
