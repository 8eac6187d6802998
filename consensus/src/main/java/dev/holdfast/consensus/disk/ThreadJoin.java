package dev.holdfast.consensus.disk;

/** Waiting for a thread whose end must not be missed. */
final class ThreadJoin {
    private ThreadJoin() {}

    /** Waits even if interrupted, and says afterwards that it was. At once on the thread itself. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
