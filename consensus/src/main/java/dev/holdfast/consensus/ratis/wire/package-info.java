/**
 * How members talk to each other: plain or TLS sockets, a thread that reads for each connection, and writing by whoever
 * has something to say.
 *
 * <p>Members are few, so threads are too; and each hand-over from one thread to another that is saved between an entry
 * and its acknowledgement makes every grant faster.
 */
@NullMarked
package dev.holdfast.consensus.ratis.wire;

import org.jspecify.annotations.NullMarked;
