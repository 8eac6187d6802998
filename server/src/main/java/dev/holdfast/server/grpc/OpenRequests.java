package dev.holdfast.server.grpc;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps what a session's client is told in an order it can understand.
 *
 * <p>An answer comes from the leader, events from this node's replica, which may be ahead of the answer. News about a
 * key that an unanswered request of the same lease names are therefore held back until that request is answered: no
 * grant ends before the client has heard of it, no wait ends before it began.
 *
 * <p>Confined to the session's event loop.
 */
final class OpenRequests {
    private final Map<Place, List<Open>> byPlace = new HashMap<>();

    private record Place(LeaseId lease, LockKey key) {}

    /**
     * An event that may be news to a client.
     *
     * @param ending the answer to a request whose wait it ended
     */
    record News(Event event, Optional<Answer> ending, Stamp stamp) {}

    /** A request that has not been answered yet. */
    static final class Open {
        private final RequestId id;
        private final List<LockKey> keys;
        private final List<News> held = new ArrayList<>(0);

        private Open(RequestId id, List<LockKey> keys) {
            this.id = id;
            this.keys = keys;
        }
    }

    Open asked(RequestId id, List<LockKey> keys) {
        Open open = new Open(id, keys);
        for (LockKey key : keys) {
            byPlace.computeIfAbsent(new Place(id.lease(), key), place -> new ArrayList<>(1))
                    .add(open);
        }
        return open;
    }

    /** Whether the news must wait for an answer; they are kept if so. */
    boolean holdsBack(News news) {
        if (byPlace.isEmpty() || !(news.event() instanceof Event.OfLocks event)) {
            return false;
        }
        for (Hold hold : event.holds()) {
            List<Open> open = byPlace.get(new Place(event.party().lease(), hold.key()));
            if (open != null) {
                open.get(0).held.add(news);
                return true;
            }
        }
        return false;
    }

    /** The request has its answer, or failed; gives back what had to wait for that, as far as it is still news. */
    List<News> answered(Open open, Optional<Result> result) {
        for (LockKey key : open.keys) {
            byPlace.computeIfPresent(new Place(open.id.lease(), key), (place, list) -> {
                list.remove(open);
                return list.isEmpty() ? null : list;
            });
        }
        return open.held.stream()
                .filter(news -> result.isEmpty() || isNews(news, open.id, result.get()))
                .toList();
    }

    /** How the request itself ended is in its answer, unless that says that it waits. */
    private static boolean isNews(News news, RequestId id, Result result) {
        if (news.ending().isEmpty()
                || !(news.event() instanceof Event.OfLocks event)
                || !RequestId.of(event).equals(id)) {
            return true;
        }
        return result instanceof Result.Queued queued && event.revision() > queued.revision();
    }
}
