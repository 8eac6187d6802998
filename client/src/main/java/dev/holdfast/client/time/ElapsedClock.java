package dev.holdfast.client.time;

import java.util.concurrent.TimeUnit;

/**
 * Time that goes on while the machine sleeps, as far as a process can know.
 *
 * <p>{@code nanoTime} stands still while a machine is suspended, so a holder could wake up and believe that its lease
 * has hardly aged. Each reading compares the wall clock with {@code nanoTime}, which costs next to nothing; only when
 * they part is the boot clock asked, and what it ran ahead is added. A wall clock that jumped ahead with no boot clock
 * to explain it may still hide a suspension (of the whole virtual machine): that is a doubt, and what was held is
 * uncertain until the cluster answers something that was asked after it.
 */
public final class ElapsedClock {
    /** The wall clock is slewed slowly and read in whole milliseconds: less than this says nothing. */
    static final long NOTICEABLE_MILLIS = 100;

    /** The boot clock has a resolution of 10 ms. */
    private static final long NOTICEABLE_BOOT_NANOS = 50_000_000;

    /** A reading of several clocks that took longer than this is no reading of one moment. */
    private static final long ONE_MOMENT_NANOS = 5_000_000;

    private static final int MAX_READINGS = 20;

    private final Ticks ticks;
    private volatile long wallOffsetMillis;
    private volatile long suspendedNanos;
    private volatile long doubts;
    private volatile long doubtNanos;
    private long bootOffsetNanos;
    private boolean bootKnown;

    public ElapsedClock(Ticks ticks) {
        this.ticks = ticks;
        Reading now = read();
        wallOffsetMillis = now.wallMillis - TimeUnit.NANOSECONDS.toMillis(now.nanos);
        bootKnown = now.bootNanos != Ticks.UNKNOWN;
        bootOffsetNanos = now.bootNanos - now.nanos;
    }

    /** Nanoseconds since some moment; never goes back. */
    public long now() {
        long parted = ticks.wallMillis() - TimeUnit.NANOSECONDS.toMillis(ticks.nanos()) - wallOffsetMillis;
        if (parted > NOTICEABLE_MILLIS || parted < -NOTICEABLE_MILLIS) {
            look();
        }
        return ticks.nanos() + suspendedNanos;
    }

    /** How often time may have passed that no clock showed. */
    public long doubts() {
        return doubts;
    }

    /** Whether time may have passed since a moment of this clock that it did not show. */
    public boolean isInDoubtSince(long moment) {
        return doubts > 0 && doubtNanos - moment > 0;
    }

    /**
     * Compares all clocks. Called now and then, it keeps the slow adjustment of the wall clock from looking like a
     * jump.
     */
    public synchronized void look() {
        Reading now = read();
        if (bootKnown && now.bootNanos != Ticks.UNKNOWN) {
            long slept = now.bootNanos - now.nanos - bootOffsetNanos;
            if (slept > NOTICEABLE_BOOT_NANOS) {
                suspendedNanos += slept;
                bootOffsetNanos += slept;
            }
        }
        long offset = now.wallMillis - TimeUnit.NANOSECONDS.toMillis(now.nanos);
        if (offset - wallOffsetMillis > NOTICEABLE_MILLIS) {
            doubtNanos = now.nanos + suspendedNanos;
            doubts++;
        }
        wallOffsetMillis = offset;
    }

    private record Reading(long nanos, long wallMillis, long bootNanos) {}

    /** Reads all clocks; again if the process was stopped meanwhile. */
    private Reading read() {
        for (int i = 1; ; i++) {
            long before = ticks.nanos();
            Reading reading = new Reading(before, ticks.wallMillis(), ticks.bootNanos());
            if (ticks.nanos() - before <= ONE_MOMENT_NANOS || i == MAX_READINGS) {
                return reading;
            }
        }
    }
}
