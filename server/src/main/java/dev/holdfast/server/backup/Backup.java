package dev.holdfast.server.backup;

import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.server.replica.LockReplica;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A backup file: a header that names the cluster, a snapshot, and a checksum of both.
 *
 * <pre>
 * magic 4 · version 1 · cluster 16 · term 8 · index 8 · snapshot's length 8 · snapshot · CRC-32C of all before 8
 * </pre>
 */
public final class Backup {
    private static final int MAGIC = 0x48464255; // HFBU
    private static final byte VERSION = 1;
    private static final int HEADER = 4 + 1 + 16 + 8 + 8 + 8;
    private static final int TRAILER = 8;
    private static final int CHUNK = 32 * 1024;

    private Backup() {}

    /** What a backup says of itself. */
    public record Header(UUID cluster, long term, long index, long length) {}

    /** A backup as it is sent. */
    public static final class Source implements AutoCloseable {
        private final InputStream snapshot;
        private final CRC32C crc = new CRC32C();
        private byte[] header;
        private boolean ended;

        private Source(byte[] header, InputStream snapshot) {
            this.header = header;
            this.snapshot = snapshot;
        }

        /** The next bytes; none at the end. */
        public byte[] next() throws IOException {
            byte[] chunk = header.length > 0 ? header : snapshot.readNBytes(CHUNK);
            header = new byte[0];
            if (chunk.length > 0) {
                crc.update(chunk);
            } else if (!ended) {
                ended = true;
                return ByteBuffer.allocate(TRAILER).putLong(crc.getValue()).array();
            }
            return chunk;
        }

        @Override
        public void close() throws IOException {
            snapshot.close();
        }
    }

    /** A backup of a cluster out of one of its nodes' snapshots. */
    public static Source of(String cluster, SnapshotFile snapshot) throws IOException {
        UUID id = UUID.fromString(cluster);
        byte[] header = ByteBuffer.allocate(HEADER)
                .putInt(MAGIC)
                .put(VERSION)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .putLong(snapshot.term())
                .putLong(snapshot.index())
                .putLong(Files.size(snapshot.path()))
                .array();
        return new Source(header, Files.newInputStream(snapshot.path()));
    }

    /** Reads and checks the header of a backup. */
    public static Header header(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return header(file, in.readNBytes(HEADER));
        }
    }

    private static Header header(Path file, byte[] bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER || in.getInt() != MAGIC) {
            throw new IOException(file + " is not a Holdfast backup");
        }
        byte version = in.get();
        if (version != VERSION) {
            throw new IOException(file + ": backup format " + version + " is not known; this version reads " + VERSION);
        }
        return new Header(new UUID(in.getLong(), in.getLong()), in.getLong(), in.getLong(), in.getLong());
    }

    /** The machine in a backup; a damaged or cut off one is refused. */
    public static LockMachine read(Path file) throws IOException {
        Header header = header(file);
        long size = Files.size(file);
        if (size != HEADER + header.length() + TRAILER) {
            throw new IOException(file + " is cut off or has something appended: it should have "
                    + (HEADER + header.length() + TRAILER) + " bytes and has " + size);
        }
        CRC32C crc = new CRC32C();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), CHUNK)) {
            byte[] first = in.readNBytes(HEADER);
            crc.update(first);
            LockMachine machine = LockReplica.read(new Summed(in, header.length(), crc));
            long expected = ByteBuffer.wrap(in.readNBytes(TRAILER)).getLong();
            if (crc.getValue() != expected) {
                throw new IOException(file + " is damaged: its checksum does not match");
            }
            return machine;
        } catch (CodecException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        }
    }

    /** The snapshot's part of the file, summed while it is read. */
    private static final class Summed extends FilterInputStream {
        private final CRC32C crc;
        private long left;

        Summed(InputStream in, long length, CRC32C crc) {
            super(in);
            this.left = length;
            this.crc = crc;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int from, int most) throws IOException {
            if (left == 0) {
                return -1;
            }
            int length = super.read(to, from, (int) Math.min(most, left));
            if (length > 0) {
                left -= length;
                crc.update(to, from, length);
            }
            return length;
        }
    }
}
