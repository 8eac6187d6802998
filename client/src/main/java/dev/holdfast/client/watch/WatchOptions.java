package dev.holdfast.client.watch;

/**
 * What somebody wants to watch.
 *
 * @param prefix every key that starts with {@code key}
 * @param from the first revision of interest; 0 for what comes from now on
 * @param allEvents queueing and leaving, too
 * @param previous with the grant as it was before
 */
public record WatchOptions(String key, boolean prefix, long from, boolean allEvents, boolean previous) {
    public static WatchOptions of(String key) {
        return new WatchOptions(key, false, 0, false, false);
    }

    public WatchOptions withPrefix() {
        return new WatchOptions(key, true, from, allEvents, previous);
    }

    public WatchOptions from(long revision) {
        return new WatchOptions(key, prefix, revision, allEvents, previous);
    }

    public WatchOptions withAllEvents() {
        return new WatchOptions(key, prefix, from, true, previous);
    }

    public WatchOptions withPrevious() {
        return new WatchOptions(key, prefix, from, allEvents, true);
    }
}
