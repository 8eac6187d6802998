package dev.holdfast.server.propose;

import dev.holdfast.core.Item;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Requests.Renewed;
import dev.holdfast.server.request.Stamp;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Something that waits to be in an entry, or for its entry to be applied. */
sealed interface Work {
    /** Whose turn it waits for. */
    Flow flow();

    long arrivedNanos();

    /** How much of the queue it takes. */
    int bytes();

    /** Whether it gives something back, or keeps it: it may take twice the room of what asks for more. */
    boolean relieves();

    void fail(RequestFailure failure);

    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    /** Every kind of work. */
    enum Kind {
        ORDER,
        RENEWAL,
        BARRIER
    }

    /** A barrier takes none of an entry, but the node's time. */
    int BARRIER_BYTES = 64;

    /** Below this size no field of a command can be too large to be written. */
    int SURELY_WRITABLE = 1_024;

    /** One command. */
    record Order(Flow flow, Command command, int bytes, long arrivedNanos, CompletableFuture<Answer> answer)
            implements Work {
        Order(Flow flow, Command command, long arrivedNanos) {
            this(flow, command, sizeOf(command), arrivedNanos, new CompletableFuture<>());
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

        @Override
        public boolean relieves() {
            return Requests.givesBack(command);
        }

        @Override
        public Kind kind() {
            return Kind.ORDER;
        }

        @Override
        public void fail(RequestFailure failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Leases of one principal to be renewed. */
    // The array is handed over.
    @SuppressWarnings("ArrayRecordComponent")
    record Renewal(Flow flow, String principal, long[] leases, long arrivedNanos, CompletableFuture<Renewed> answer)
            implements Work {
        @Override
        public int bytes() {
            return Long.BYTES * leases.length;
        }

        @Override
        public boolean relieves() {
            return true;
        }

        @Override
        public Kind kind() {
            return Kind.RENEWAL;
        }

        @Override
        public void fail(RequestFailure failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** A place in the log. */
    record Barrier(Flow flow, long arrivedNanos, CompletableFuture<Stamp> answer) implements Work {
        @Override
        public int bytes() {
            return BARRIER_BYTES;
        }

        @Override
        public boolean relieves() {
            return false;
        }

        @Override
        public Kind kind() {
            return Kind.BARRIER;
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
        return size + sizeOfFields(command);
    }

    private static int sizeOfFields(Command command) {
        return switch (command.kind()) {
            case ACQUIRE -> sizeOfFields((Command.Acquire) command);
            case GRANT_LEASE -> 3 * ((Command.GrantLease) command).clientId().length();
            case RELEASE -> ((Command.Release) command).key().length();
            case UPGRADE -> ((Command.Upgrade) command).key().length();
            case DOWNGRADE -> ((Command.Downgrade) command).key().length();
            case DESCRIBE -> {
                Command.Describe describe = (Command.Describe) command;
                yield describe.key().length() + describe.metadata().length();
            }
            case FORCE_RELEASE -> {
                Command.ForceRelease force = (Command.ForceRelease) command;
                yield force.key().length()
                        + 3 * force.by().length()
                        + 3 * force.reason().length();
            }
            case EXTEND_LEASE, REVOKE_LEASE, CANCEL, SET_LIMIT, RAISE_FEATURE_LEVEL -> 0;
        };
    }

    private static int sizeOfFields(Command.Acquire acquire) {
        int size = acquire.metadata().length() + 3 * acquire.purpose().length();
        for (Item item : acquire.items()) {
            size += item.key().length() + 16;
        }
        return size;
    }
}
