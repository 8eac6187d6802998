package dev.holdfast.cli.top;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the key q, pressed alone where the terminal lets that be seen, else with the return key.
 *
 * <p>The terminal is asked to pass keys on at once, and is set back at the end.
 */
final class Keyboard implements AutoCloseable {
    private static final long STTY_SECONDS = 2;

    private final CountDownLatch quit = new CountDownLatch(1);
    private final String before;

    Keyboard(Reader in) {
        before = stty("-g").strip();
        if (!before.isEmpty()) {
            String unused = stty("-icanon -echo min 1");
        }
        Thread reader = new Thread(() -> read(in), "holdfast-top-keys");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Reader in) {
        try {
            for (int key = in.read(); key >= 0; key = in.read()) {
                if (key == 'q' || key == 'Q') {
                    break;
                }
            }
        } catch (IOException e) {
            // The terminal is gone, and with it whoever looked.
        }
        quit.countDown();
    }

    /** Whether q was pressed within this time. */
    boolean quitWithin(long millis) throws InterruptedException {
        return quit.await(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        restore();
    }

    /** Sets the terminal back; may be done more than once. */
    void restore() {
        if (!before.isEmpty()) {
            String unused = stty(before);
        }
    }

    /** What it says; nothing where there is no such command or no terminal. */
    private static String stty(String arguments) {
        try {
            Process process = new ProcessBuilder("sh", "-c", "stty " + arguments + " </dev/tty 2>/dev/null").start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return process.waitFor(STTY_SECONDS, TimeUnit.SECONDS) ? said : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
