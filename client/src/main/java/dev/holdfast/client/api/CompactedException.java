package dev.holdfast.client.api;

/**
 * The cluster does not have the events any more from which a watch was to go on, or a backup was restored since.
 *
 * <p>What happened in between is lost to the watch: {@link HoldfastClient#list} what there is now, then watch from
 * {@link #next}.
 */
public final class CompactedException extends HoldfastException {
    private final long next;
    private final long oldest;

    public CompactedException(String message, long next, long oldest) {
        super(message);
        this.next = next;
        this.oldest = oldest;
    }

    /** Where to go on after a look at the present state: no event after that look is missed. */
    public long next() {
        return next;
    }

    /** The oldest revision that is still there, for those who can do with part of the past. */
    public long oldest() {
        return oldest;
    }
}
