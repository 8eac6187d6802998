package dev.holdfast.client.session;

/**
 * What somebody wants to watch.
 *
 * @param prefix every key that starts with {@code key}
 * @param from the first revision of interest; 0 for what comes from now on
 * @param allEvents queueing and leaving, too
 * @param previous with the grant as it was before
 */
public record WatchWish(String key, boolean prefix, long from, boolean allEvents, boolean previous) {
    public static WatchWish of(String key) {
        return new WatchWish(key, false, 0, false, false);
    }

    public WatchWish withPrefix() {
        return new WatchWish(key, true, from, allEvents, previous);
    }

    public WatchWish from(long revision) {
        return new WatchWish(key, prefix, revision, allEvents, previous);
    }

    public WatchWish withAllEvents() {
        return new WatchWish(key, prefix, from, true, previous);
    }

    public WatchWish withPrevious() {
        return new WatchWish(key, prefix, from, allEvents, true);
    }
}
