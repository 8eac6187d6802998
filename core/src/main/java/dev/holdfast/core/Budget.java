package dev.holdfast.core;

/**
 * What one piece of work may cost: how many records it looks at, and how many bytes it tells.
 *
 * <p>Whoever does the work stops once nothing is left, and says that not all was told. A record or a text may overdraw
 * the budget once, so that every answer tells at least something.
 */
public final class Budget {
    /** What a record costs beside its texts, in the longest form in which one is told. */
    public static final int BYTES_PER_RECORD = 128;

    private static final long MAX_VISITS = 50_000;
    private static final long MAX_BYTES = 1024 * 1024;

    private long visits;
    private long bytes;

    private Budget(long visits, long bytes) {
        this.visits = visits;
        this.bytes = bytes;
    }

    /** What one question may cost: some milliseconds of the machine's time at the most, and a megabyte. */
    public static Budget ofQuestion() {
        return new Budget(MAX_VISITS, MAX_BYTES);
    }

    /** What may be looked at where each record is passed over in nanoseconds and next to nothing is told. */
    public static Budget ofWalk() {
        return new Budget(10 * MAX_VISITS, MAX_BYTES);
    }

    /** For work that tells nothing: so many records may be looked at. */
    public static Budget ofVisits(long visits) {
        return new Budget(visits, Long.MAX_VALUE);
    }

    /**
     * Looks at one more record.
     *
     * @return whether anything is left
     */
    public boolean visit() {
        return visit(1);
    }

    /**
     * Looks at more records.
     *
     * @return whether anything is left
     */
    public boolean visit(long records) {
        visits -= records;
        return !isSpent();
    }

    /**
     * Tells a record with texts of so many bytes.
     *
     * @return whether anything is left
     */
    public boolean tell(long textBytes) {
        bytes -= BYTES_PER_RECORD + textBytes;
        return visit();
    }

    /** Whether nothing is left: what comes now is not told. */
    public boolean isSpent() {
        return visits <= 0 || bytes <= 0;
    }
}
