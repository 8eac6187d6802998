/**
 * The lock machine and its vocabulary.
 *
 * <p>The machine is a function from committed log entries to state, results and events. What it asks of
 * its host:
 *
 * <ol>
 *   <li>Apply every committed entry once, in log order, with the term of its log entry, and nothing else.
 *   <li>Call one method at a time, questions included. {@link dev.holdfast.core.machine.LockMachine} is not
 *       thread-safe, and neither is a snapshot in progress or a look-up: an index remembers the last one.
 *   <li>Answer a caller only from what applying its committed entry gave.
 *   <li>Stamp batches with a clock that started when the leader's first entry of its term was applied, at
 *       the machine's own {@code now}, and that is thrown away at step-down.
 *   <li>Check that the caller of a renewal owns its lease before proposing it, and authenticate whoever a
 *       command names as its principal.
 *   <li>Propose an entry no later than {@code nextDeadlineMillis()}, or deadlines wait for the next one.
 *   <li>Give the machine a hash with a secret of the process: clients choose the numbers that it spreads.
 *   <li>Stop the node if a method throws: it would no longer agree with the others.
 * </ol>
 *
 * <p>{@code docs/lock-machine.md} states the rules exactly.
 */
@NullMarked
package dev.holdfast.core;

import org.jspecify.annotations.NullMarked;
