package dev.holdfast.consensus.ratis;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** A segment as the engine writes it, and where its entries begin and end. */
final class SegmentBytes {
    static final int START = 8;

    private final byte[] bytes;
    private final List<Integer> ends;

    private SegmentBytes(byte[] bytes, List<Integer> ends) {
        this.bytes = bytes;
        this.ends = ends;
    }

    /** Entries of the given sizes, filled at random without zeros, and room behind them. */
    static SegmentBytes of(long seed, int room, int... sizes) {
        Random random = new Random(seed);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("RaftLog1".getBytes(StandardCharsets.US_ASCII));
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            byte[] payload = new byte[sizes[i]];
            for (int j = 0; j < payload.length; j++) {
                payload[j] = (byte) (1 + random.nextInt(255));
            }
            out.writeBytes(frame(i, payload));
            ends.add(out.size());
        }
        out.writeBytes(new byte[room]);
        return new SegmentBytes(out.toByteArray(), ends);
    }

    private static byte[] frame(long index, byte[] payload) {
        byte[] message = LogEntryProto.newBuilder()
                .setTerm(3)
                .setIndex(index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(payload)))
                .build()
                .toByteArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int length = message.length;
        for (; length > 0x7f; length >>>= 7) {
            out.write(length | 0x80);
        }
        out.write(length);
        out.writeBytes(message);
        CRC32C crc = new CRC32C();
        crc.update(out.toByteArray());
        out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
        return out.toByteArray();
    }

    byte[] bytes() {
        return bytes;
    }

    List<Integer> ends() {
        return ends;
    }

    int end() {
        return ends.get(ends.size() - 1);
    }

    /** How many entries lie wholly before an offset. */
    long entriesBefore(int offset) {
        return ends.stream().filter(end -> end <= offset).count();
    }

    /** A copy with some bytes never written. */
    byte[] unwritten(int from, int to) {
        byte[] copy = bytes.clone();
        Arrays.fill(copy, from, Math.min(to, copy.length), (byte) 0);
        return copy;
    }
}
