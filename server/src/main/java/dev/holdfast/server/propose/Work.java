package dev.holdfast.server.propose;

import dev.holdfast.core.Item;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Renewed;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Stamp;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Something that waits to be in an entry, or for its entry to be applied. */
sealed interface Work {
    long arrivedNanos();

    /** How much of the queue it takes. */
    int bytes();

    void fail(RequestFailure failure);

    /** Below this size no field of a command can be too large to be written. */
    int SURELY_WRITABLE = 1_024;

    /** One command. */
    record Order(Command command, int bytes, long arrivedNanos, CompletableFuture<Answer> answer) implements Work {
        Order(Command command, long arrivedNanos) {
            this(command, sizeOf(command), arrivedNanos, new CompletableFuture<>());
        }

        /** Says what is wrong with a command that no entry can carry; it must never get as far as the log. */
        Optional<String> unwritable() {
            if (bytes > SURELY_WRITABLE) {
                try {
                    CommandCodec.encode(Batch.of(0, 0, 0, List.of(command)));
                } catch (CodecException | IllegalArgumentException e) {
                    return Optional.of(String.valueOf(e.getMessage()));
                }
            }
            return Optional.empty();
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

    /** About how many bytes a command takes in an entry; no less than any one field of it takes. */
    private static int sizeOf(Command command) {
        int size = 96;
        if (command instanceof Command.OfLease ofLease) {
            size += 3 * ofLease.principal().length();
        }
        if (command instanceof Command.Acquire acquire) {
            for (Item item : acquire.items()) {
                size += item.key().length() + 16;
            }
            size += acquire.metadata().length() + 3 * acquire.purpose().length();
        } else if (command instanceof Command.GrantLease grant) {
            size += 3 * grant.clientId().length();
        } else if (command instanceof Command.Release release) {
            size += release.key().length();
        } else if (command instanceof Command.Upgrade upgrade) {
            size += upgrade.key().length();
        } else if (command instanceof Command.Downgrade downgrade) {
            size += downgrade.key().length();
        } else if (command instanceof Command.Describe describe) {
            size += describe.key().length() + describe.metadata().length();
        } else if (command instanceof Command.ForceRelease force) {
            size += force.key().length()
                    + 3 * force.by().length()
                    + 3 * force.reason().length();
        }
        return size;
    }
}
