package dev.holdfast.consensus.ratis;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Whether a member, which leaves unanswered what it is asked, should hear beside that its leader lives. */
final class Silence {
    /** A leader that brings a member nothing else for so long should not be kept by signs of life. */
    static final int LONGEST_MILLIS = 10_000;

    private final LongSupplier nanos;
    /** When the first was asked that was not answered yet. */
    private volatile long since;
    /** When what is to be brought last got across. */
    private volatile long across;

    private volatile boolean unanswered;

    Silence(LongSupplier nanos) {
        this.nanos = nanos;
        this.across = nanos.getAsLong();
    }

    /** Something goes to the member; what went before and came to nothing is unanswered still. */
    void asked() {
        if (!unanswered) {
            since = nanos.getAsLong();
            unanswered = true;
        }
    }

    /**
     * The member answered.
     *
     * @param brought whether it took entries, or lacks none: small packets may pass where no entry does
     */
    void answered(boolean brought) {
        unanswered = false;
        if (brought) {
            across = nanos.getAsLong();
        }
    }

    /**
     * A member that is asked nothing is not silent: on an idle log the next heartbeat is not replaced by a sign of life.
     *
     * @param asking whether an answer is awaited, or its failing to be dealt with
     * @param heardMillis for how long nothing came from the member, not even over another connection
     * @param patienceMillis how long it may take with an answer
     */
    boolean needsSign(boolean asking, long heardMillis, int patienceMillis) {
        return asking
                && unanswered
                && heardMillis >= patienceMillis
                && millisSince(since) >= patienceMillis
                && millisSince(across) <= LONGEST_MILLIS;
    }

    private long millisSince(long then) {
        return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - then);
    }
}
