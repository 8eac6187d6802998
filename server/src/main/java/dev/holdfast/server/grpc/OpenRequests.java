package dev.holdfast.server.grpc;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.operation.RequestId;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Stamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
    /** Of the upgrades answered last, so many are remembered until their event comes. */
    private static final int MAX_TOLD = 1_024;

    private final Map<Place, List<Open>> byPlace = new HashMap<>();

    /** Revisions of the upgrades whose grant was the answer: the event does not say whether they had waited. */
    private final Set<Long> told = new LinkedHashSet<>();

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
        private final boolean upgrade;
        private final List<News> held = new ArrayList<>(0);

        private Open(RequestId id, List<LockKey> keys, boolean upgrade) {
            this.id = id;
            this.keys = keys;
            this.upgrade = upgrade;
        }
    }

    Open asked(RequestId id, List<LockKey> keys, boolean upgrade) {
        Open open = new Open(id, keys, upgrade);
        for (LockKey key : keys) {
            byPlace.computeIfAbsent(new Place(id.lease(), key), place -> new ArrayList<>(1))
                    .add(open);
        }
        return open;
    }

    /** Whether the client is not to be told, because it knows already or must hear an answer first. */
    boolean holdsBack(News news) {
        if (news.event() instanceof Event.ModeChanged changed && told.remove(changed.revision())) {
            return true;
        }
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
        boolean knowsEvent = open.held.stream()
                .anyMatch(news -> news.event() instanceof Event.ModeChanged changed && changed.seq() == open.id.seq());
        if (open.upgrade && !knowsEvent && result.isPresent() && result.get() instanceof Result.Granted granted) {
            remember(granted.token().revision());
        }
        return open.held.stream()
                .filter(news -> result.isEmpty() || isNews(news, open.id, result.get()))
                .toList();
    }

    /** An upgrade that changed nothing, or was answered before, has no event to come: forgotten in time. */
    private void remember(long revision) {
        told.add(revision);
        if (told.size() > MAX_TOLD) {
            told.remove(told.iterator().next());
        }
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
