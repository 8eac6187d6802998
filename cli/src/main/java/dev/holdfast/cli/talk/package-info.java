/** A lock machine to talk to, and transcripts of such talks. */
@NullMarked
package dev.holdfast.cli.talk;

import org.jspecify.annotations.NullMarked;
