package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Replica;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One cut on its way into a file; runs once, on a thread of its own. */
final class SnapshotWriting implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotWriting.class);

    private final TermIndex at;
    private final Replica.Cut cut;
    private final Path file;
    private final Consumer<SnapshotWriting> whenDone;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean stopped;
    private volatile String checksum = "";
    private volatile String problem = "";

    SnapshotWriting(TermIndex at, Replica.Cut cut, Path file, Consumer<SnapshotWriting> whenDone) {
        this.at = at;
        this.cut = cut;
        this.file = file;
        this.whenDone = whenDone;
    }

    TermIndex at() {
        return at;
    }

    Path file() {
        return file;
    }

    /** Whether the file is whole and on disk. */
    boolean isReady() {
        return !checksum.isEmpty();
    }

    String checksum() {
        return checksum;
    }

    String problem() {
        return problem;
    }

    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        boolean tell = false;
        try {
            String sum = write();
            tell = !stopped;
            checksum = tell ? sum : "";
        } catch (IOException | RuntimeException e) {
            LOG.error("{}: cannot write the snapshot", file, e);
            problem = e.toString();
            tell = !stopped;
        } finally {
            cut.close();
            over.countDown();
        }
        if (tell) {
            whenDone.accept(this);
        }
    }

    private String write() throws IOException {
        CRC32C crc = new CRC32C();
        long length = 0;
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (byte[] next = cut.next(); next != null && !stopped; next = cut.next()) {
                crc.update(next);
                length += next.length;
                ByteBuffer bytes = ByteBuffer.wrap(next);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
        return SnapshotStore.checksum(length, crc);
    }

    /** Ends it early, and waits until the cut is closed. */
    void stop() {
        stopped = true;
        if (begun.compareAndSet(false, true)) {
            cut.close();
            return;
        }
        boolean interrupted = false;
        while (true) {
            try {
                over.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void discard() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{}: cannot delete it; it goes with the next start", file, e);
        }
    }
}
