package dev.holdfast.consensus.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk that fails or waits when it is told to. */
final class FaultyDisk implements FileOpener {
    final AtomicInteger flushes = new AtomicInteger();
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile String failing = "nothing";
    volatile boolean failWrites;
    volatile boolean failFlushes;
    private final Semaphore gate = new Semaphore(1);

    /** Lets the flushes of the log wait. */
    void hold() {
        gate.acquireUninterruptibly();
    }

    void release() {
        gate.release();
    }

    boolean someFlushWaits() {
        return gate.hasQueuedThreads();
    }

    @Override
    public FileChannel open(Path file, OpenOption... options) throws IOException {
        String name = file.getFileName().toString();
        return new FilterChannel(FileChannel.open(file, options)) {
            @Override
            public int write(ByteBuffer bytes) throws IOException {
                fail(name, failWrites, "No space left on device");
                return super.write(bytes);
            }

            @Override
            public int write(ByteBuffer bytes, long at) throws IOException {
                if (failWrites && name.startsWith(failing)) {
                    // As full disks do: some of it is written before the rest is refused.
                    super.write(bytes.slice(bytes.position(), RecordFormat.SECTOR), at);
                }
                fail(name, failWrites, "No space left on device");
                calls.add("write " + name + " " + at);
                return super.write(bytes, at);
            }

            @Override
            public void force(boolean metadata) throws IOException {
                gate.acquireUninterruptibly();
                gate.release();
                fail(name, failFlushes, "Input/output error");
                flushes.incrementAndGet();
                calls.add("flush " + name);
                super.force(metadata);
            }
        };
    }

    private void fail(String name, boolean now, String message) throws IOException {
        if (now && name.startsWith(failing)) {
            throw new IOException(message);
        }
    }
}
