/**
 * Agreement on one sequence of entries: the {@link dev.holdfast.consensus.ReplicatedLog} port and what it
 * drives, the {@link dev.holdfast.consensus.Replica}.
 *
 * <p>Entries and snapshots are bytes here: this package knows nothing of locks. The engines that keep the
 * promise are in the packages below, and nothing outside them knows which one runs.
 */
@NullMarked
package dev.holdfast.consensus;

import org.jspecify.annotations.NullMarked;
