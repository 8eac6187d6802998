/**
 * Transcripts: text files that say what is asked of the lock machine and what comes out.
 *
 * <p>{@link dev.holdfast.transcript.Transcript} reads one, {@link dev.holdfast.transcript.TranscriptRun} plays it
 * and compares, {@link dev.holdfast.transcript.LiveSession} plays line by line as time passes. Lines become steps
 * in {@code step}, steps become entries of the machine in {@code player}, and what comes out becomes words in
 * {@code words}.
 *
 * <p>Text in, text out: nothing here reads a clock, a file or the console.
 */
@NullMarked
package dev.holdfast.transcript;

import org.jspecify.annotations.NullMarked;
