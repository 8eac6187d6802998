package dev.holdfast.client.api;

/**
 * The cluster no longer has the events that a watch was to continue with, or a backup has been restored since.
 *
 * <p>The watch has missed what happened in between: read the current state with {@link HoldfastClient#list}, then watch
 * from {@link #next}.
 */
public final class CompactedException extends HoldfastException {
    private final long next;
    private final long oldest;

    public CompactedException(String message, long next, long oldest) {
        super(message);
        this.next = next;
        this.oldest = oldest;
    }

    /** Where to continue after reading the current state: no event after that is missed. */
    public long next() {
        return next;
    }

    /** The oldest revision that is still available, for callers to whom part of the past is enough. */
    public long oldest() {
        return oldest;
    }
}
