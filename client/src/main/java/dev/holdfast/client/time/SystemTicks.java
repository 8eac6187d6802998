package dev.holdfast.client.time;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The clocks of this machine. On Linux the boot clock is read from {@code /proc/uptime}. */
public final class SystemTicks implements Ticks {
    private static final String UPTIME = "/proc/uptime";
    private static final long NANOS_PER_HUNDREDTH = 10_000_000;

    // Not a channel: that one would be closed by the first interrupt of a thread that reads from it.
    private final @Nullable RandomAccessFile uptime = open();
    private final byte[] line = new byte[64];

    private static @Nullable RandomAccessFile open() {
        try {
            return new RandomAccessFile(UPTIME, "r");
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public synchronized long bootNanos() {
        RandomAccessFile file = uptime;
        if (file == null) {
            return UNKNOWN;
        }
        try {
            file.seek(0);
            int length = file.read(line);
            String text = new String(line, 0, Math.max(length, 0), StandardCharsets.US_ASCII);
            int dot = text.indexOf('.');
            return TimeUnit.SECONDS.toNanos(Long.parseLong(text.substring(0, dot)))
                    + Integer.parseInt(text.substring(dot + 1, dot + 3)) * NANOS_PER_HUNDREDTH;
        } catch (IOException | RuntimeException e) {
            return UNKNOWN;
        }
    }
}
