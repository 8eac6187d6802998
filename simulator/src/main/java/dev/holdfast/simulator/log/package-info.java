/**
 * A replicated log in virtual time, behind the same port as the real one.
 *
 * <p>Leaders change, entries are lost before they are committed or are committed late by another leader, proposals are
 * refused or stay without an answer, nodes fall behind and take over a snapshot, disks forget what was not flushed. What never happens is what a correct
 * engine never does: a committed entry is not lost, and no index has two.
 */
@NullMarked
package dev.holdfast.simulator.log;

import org.jspecify.annotations.NullMarked;
