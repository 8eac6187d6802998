package dev.holdfast.server.replica;

import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What an entry of the log carries: a batch, and who waits for it.
 *
 * @param proposer a number of the proposing process, random at each start
 * @param number which of its batches this is
 */
public record Entry(long proposer, long number, Batch batch) {
    private static final int FORMAT = 1;
    private static final int HEADER = 1 + 2 * Long.BYTES;

    public byte[] encode() {
        byte[] commands = CommandCodec.encode(batch);
        return ByteBuffer.allocate(HEADER + commands.length)
                .put((byte) FORMAT)
                .putLong(proposer)
                .putLong(number)
                .put(commands)
                .array();
    }

    /** Reads an entry; one this version does not know stops the node, which would no longer agree. */
    public static Entry decode(byte[] bytes) {
        if (bytes.length < HEADER || bytes[0] != FORMAT) {
            throw new CodecException("log entry: format " + (bytes.length == 0 ? "none" : bytes[0])
                    + " is not known to this version; upgrade the node");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, HEADER - 1);
        return new Entry(
                in.getLong(), in.getLong(), CommandCodec.decode(Arrays.copyOfRange(bytes, HEADER, bytes.length)));
    }
}
