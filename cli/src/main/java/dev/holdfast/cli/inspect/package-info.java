/** What lies in a stopped node's directory, for people to read. */
@NullMarked
package dev.holdfast.cli.inspect;

import org.jspecify.annotations.NullMarked;
