package dev.holdfast.server.propose;

import dev.holdfast.core.Item;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Renewed;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Stamp;
import java.util.concurrent.CompletableFuture;

/** Something that waits to be in an entry, or for its entry to be applied. */
sealed interface Work {
    long arrivedNanos();

    /** How much of the queue it takes. */
    int bytes();

    void fail(RequestFailure failure);

    /** One command. */
    record Order(Command command, int bytes, long arrivedNanos, CompletableFuture<Answer> answer) implements Work {
        Order(Command command, long arrivedNanos) {
            this(command, sizeOf(command), arrivedNanos, new CompletableFuture<>());
        }

        /** Whether it gives something back: never refused for want of room. */
        boolean relieves() {
            return command instanceof Command.Release
                    || command instanceof Command.Cancel
                    || command instanceof Command.RevokeLease;
        }

        @Override
        public void fail(RequestFailure failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Leases of one principal to be renewed. */
    // The array is handed over.
    @SuppressWarnings("ArrayRecordComponent")
    record Renewal(String principal, long[] leases, long arrivedNanos, CompletableFuture<Renewed> answer)
            implements Work {
        @Override
        public int bytes() {
            return Long.BYTES * leases.length;
        }

        @Override
        public void fail(RequestFailure failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** A place in the log. */
    record Barrier(long arrivedNanos, CompletableFuture<Stamp> answer) implements Work {
        @Override
        public int bytes() {
            return 0;
        }

        @Override
        public void fail(RequestFailure failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** About how many bytes a command takes in an entry: an upper bound but for very long numbers. */
    private static int sizeOf(Command command) {
        int size = 96;
        if (command instanceof Command.OfLease ofLease) {
            size += 3 * ofLease.principal().length();
        }
        if (command instanceof Command.Acquire acquire) {
            for (Item item : acquire.items()) {
                size += item.key().utf8().length + 16;
            }
            size += acquire.metadata().length() + 3 * acquire.purpose().length();
        } else if (command instanceof Command.GrantLease grant) {
            size += 3 * grant.clientId().length();
        } else if (command instanceof Command.ForceRelease force) {
            size += force.key().utf8().length
                    + 3 * force.by().length()
                    + 3 * force.reason().length();
        } else {
            size += 1_024; // the key of what is left, at its longest
        }
        return size;
    }
}
