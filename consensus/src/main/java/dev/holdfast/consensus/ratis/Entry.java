package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.LogException;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * What this adapter puts into the log: one byte that says what follows, then that.
 *
 * <p>No kind is 0 and none adds a run of zeros: {@link TornTail} takes those for sectors never written.
 */
sealed interface Entry {
    byte REPLICA = 1;
    byte NUDGE = 2;
    byte FLOOR = 3;

    ByteString bytes();

    /** An entry of the replica's own. */
    record Replicated(ByteString body) implements Entry {

        /** Takes the array over: it must not change any more. */
        static Replicated of(byte[] body) {
            return new Replicated(UnsafeByteOperations.unsafeWrap(body));
        }

        @Override
        public ByteString bytes() {
            return kind(REPLICA).concat(body);
        }
    }

    /** Says nothing: it is there so that a member that fell behind hears of it. */
    record Nudge() implements Entry {
        @Override
        public ByteString bytes() {
            return kind(NUDGE);
        }
    }

    /** Every full voter has the log up to here: a witness may forget it. */
    record Floor(long index) implements Entry {
        @Override
        public ByteString bytes() {
            return kind(FLOOR).concat(ByteString.copyFromUtf8(Long.toString(index)));
        }
    }

    static Entry parse(ByteString bytes) {
        byte kind = bytes.isEmpty() ? 0 : bytes.byteAt(0);
        return switch (kind) {
            case REPLICA -> new Replicated(bytes.substring(1));
            case NUDGE -> new Nudge();
            case FLOOR -> new Floor(Long.parseLong(bytes.substring(1).toStringUtf8()));
            default ->
                throw new LogException("a log entry of kind " + kind
                        + ", which this version does not know: a newer version wrote it, so run that here too");
        };
    }

    private static ByteString kind(byte kind) {
        return ByteString.copyFrom(new byte[] {kind});
    }
}
