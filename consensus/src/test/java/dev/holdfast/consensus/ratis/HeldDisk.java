package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A directory on a disk that a test can hold: nothing written to the log is flushed meanwhile. */
final class HeldDisk extends DurableDirectory {
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private volatile OnFlush onFlush = file -> {};

    /** What happens when a whole file is flushed. */
    interface OnFlush {
        void flushing(Path file) throws IOException;
    }

    HeldDisk(Path directory, Path top) {
        super(directory, top);
    }

    void hold() {
        gate = new CountDownLatch(1);
    }

    void onFlush(OnFlush hook) {
        onFlush = hook;
    }

    void free() {
        gate.countDown();
    }

    /** The engine's writing thread comes by here just before it flushes. */
    @Override
    void beforeAcknowledging() throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        super.beforeAcknowledging();
    }

    @Override
    void flushFile(Path file) throws IOException {
        onFlush.flushing(file);
        super.flushFile(file);
    }
}
