package dev.holdfast.server.operation;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.operation.PendingRequest.News;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The unanswered requests of a session, whose client is told everything that happens to its leases.
 *
 * <p>News about a key that an unanswered request of the same lease names are held back until that request is answered:
 * no grant ends before the client has heard of it, no wait ends before it began.
 *
 * <p>Confined to the session's event loop.
 */
public final class OpenRequests {
    /** Of the upgrades answered last, so many are remembered until their event comes. */
    private static final int MAX_TOLD = 1_024;

    private final Map<Place, List<Open>> byPlace = new HashMap<>();

    /** Revisions of the upgrades whose grant was the answer: the event does not say whether they had waited. */
    private final Set<Long> told = new LinkedHashSet<>();

    private record Place(LeaseId lease, LockKey key) {}

    /** A request that has not been answered yet. */
    public record Open(PendingRequest request, List<LockKey> keys, boolean upgrade) {}

    public Open asked(RequestId id, List<LockKey> keys, boolean upgrade) {
        Open open = new Open(new PendingRequest(id), keys, upgrade);
        for (LockKey key : keys) {
            byPlace.computeIfAbsent(new Place(id.lease(), key), place -> new ArrayList<>(1))
                    .add(open);
        }
        return open;
    }

    /** Whether the client is not to be told, because it knows already or must hear an answer first. */
    public boolean holdsBack(News news) {
        if (news.event() instanceof Event.ModeChanged changed && told.remove(changed.revision())) {
            return true;
        }
        if (byPlace.isEmpty() || !(news.event() instanceof Event.OfLocks event)) {
            return false;
        }
        for (Hold hold : event.holds()) {
            List<Open> open = byPlace.get(new Place(event.party().lease(), hold.key()));
            if (open != null) {
                open.get(0).request().keep(news);
                return true;
            }
        }
        return false;
    }

    /**
     * The request has its answer, or failed; gives back what had to wait for that, as far as it is still news.
     *
     * @param result null if what became of the request is not known
     */
    public List<News> answered(Open open, @Nullable Result result) {
        RequestId id = open.request().id();
        for (LockKey key : open.keys()) {
            byPlace.computeIfPresent(new Place(id.lease(), key), (place, list) -> {
                list.remove(open);
                return list.isEmpty() ? null : list;
            });
        }
        if (open.upgrade() && result instanceof Result.Granted granted && !knowsEvent(open)) {
            remember(granted.token().revision());
        }
        return open.request().answered(result);
    }

    private static boolean knowsEvent(Open open) {
        return open.request().kept().stream()
                .anyMatch(news -> news.event() instanceof Event.ModeChanged changed
                        && changed.seq() == open.request().id().seq());
    }

    /** An upgrade that changed nothing, or was answered before, has no event to come: forgotten in time. */
    private void remember(long revision) {
        told.add(revision);
        if (told.size() > MAX_TOLD) {
            told.remove(told.iterator().next());
        }
    }
}
