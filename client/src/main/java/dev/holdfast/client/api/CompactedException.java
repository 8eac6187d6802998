package dev.holdfast.client.api;

/**
 * The cluster no longer has the events that a watch was to continue with, or a backup has been restored since.
 *
 * <p>The watch has missed what happened in between: read the current state with {@link HoldfastClient#list}, then watch
 * from {@link #next}.
 */
public final class CompactedException extends HoldfastException {
    private final String next;
    private final String oldest;

    public CompactedException(String message, String next, String oldest) {
        super(message);
        this.next = next;
        this.oldest = oldest;
    }

    /** The cursor to continue from after reading the current state: no event after that is missed. */
    public String next() {
        return next;
    }

    /** The cursor before the oldest event that is still available, for callers to whom part of the past is enough. */
    public String oldest() {
        return oldest;
    }
}
