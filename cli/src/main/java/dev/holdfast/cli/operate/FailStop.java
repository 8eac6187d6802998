package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process of a node that cannot go on, so that it does not look alive and another leads.
 *
 * <p>Without hooks, for they may hang, and whether or not anybody reads why.
 */
final class FailStop implements UncaughtExceptionHandler {
    private static final long WORDS_SECONDS = 2;

    private final CountDownLatch given = new CountDownLatch(1);
    private volatile int code = ExitCode.FAULT;

    /** Begins at once with what may be impossible later: a thread that ends the process. */
    FailStop() {
        Thread last = new Thread(this::awaitEnd, "holdfast-fail-stop");
        last.setDaemon(true);
        last.start();
    }

    private void awaitEnd() {
        try {
            given.await();
            // Whoever gave up says why, and ends the process itself unless that hangs.
            TimeUnit.SECONDS.sleep(WORDS_SECONDS);
        } catch (InterruptedException e) {
            // Nobody interrupts it; if somebody does, that is no reason to go on.
        }
        Runtime.getRuntime().halt(code);
    }

    /** A thread that ended by itself no longer does what it was there for, and nobody knows what that was. */
    @Override
    public void uncaughtException(Thread thread, Throwable cause) {
        giveUp("the thread " + thread.getName() + " ended: " + cause, cause);
    }

    @SuppressWarnings("SystemOut")
    void giveUp(String message, @Nullable Throwable cause) {
        boolean memory = isOutOfMemory(cause);
        try {
            code = memory ? ExitCode.OUT_OF_MEMORY : ExitCode.FAULT;
            given.countDown();
            System.err.println("holdfast: " + message);
            if (cause != null && !memory) {
                cause.printStackTrace();
            }
            System.err.flush();
        } finally {
            Runtime.getRuntime().halt(memory ? ExitCode.OUT_OF_MEMORY : ExitCode.FAULT);
        }
    }

    private static boolean isOutOfMemory(@Nullable Throwable cause) {
        Throwable link = cause;
        // A chain of causes may be a circle.
        for (int i = 0; link != null && i < 20; i++) {
            if (link instanceof OutOfMemoryError) {
                return true;
            }
            link = link.getCause();
        }
        return false;
    }
}
