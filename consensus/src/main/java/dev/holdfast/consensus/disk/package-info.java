/**
 * The log of a node that is alone: on one disk, replicated nowhere.
 *
 * <p>A directory holds
 *
 * <pre>
 * lock                                     held by the process that uses the directory
 * term                                     the term of the last start, as text
 * log-INDEX                                records from the entry INDEX on, see RecordFormat
 * snapshot-INDEX-TERM-BYTES-CHECKSUM       the state after INDEX, exactly as the replica wrote it
 * </pre>
 *
 * <p>What is promised: an entry that was answered with {@code Applied} is there after any crash of the
 * process, the machine or its power. What that rests on: the device keeps what it was told to flush, a
 * sector of 512 bytes is written wholly or not at all, and bytes of a file that were never written read as
 * zero. Then a write that was cut off by a crash leaves sectors of zeros or a file too short, and was never
 * answered: it is removed at the next start. Damage that looks different has hit something that was
 * answered: the start is refused.
 */
@NullMarked
package dev.holdfast.consensus.disk;

import org.jspecify.annotations.NullMarked;
