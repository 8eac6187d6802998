package dev.holdfast.server.operation;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way, as the node that its client is connected to sees it: what happens to it is told in an order
 * that can be understood.
 *
 * <p>The answer comes from the leader, events from this node's replica, and either may be first. So events are kept
 * until there is an answer. If that says that the request waits, only a later event is about this wait: an earlier one
 * belongs to an earlier request that was known by the same lease and key. If it says how the request ended, the event of
 * that end is no news.
 */
public final class PendingRequest {
    private final RequestId id;
    private final List<News> kept = new ArrayList<>(1);
    private @Nullable Result answer;

    /**
     * An event that may be news to a client.
     *
     * @param ending the answer to a request whose wait it ended; null if it ended none
     */
    public record News(Event event, @Nullable Answer ending, Stamp stamp) {

        /** Whether it ended the wait of this request. */
        boolean ends(RequestId id) {
            return ending != null
                    && event instanceof Event.OfLocks ofLocks
                    && RequestId.of(ofLocks).equals(id);
        }
    }

    PendingRequest(RequestId id) {
        this.id = id;
    }

    RequestId id() {
        return id;
    }

    boolean isAnswered() {
        return answer != null;
    }

    /** Keeps what happened before the answer. */
    void keep(News news) {
        kept.add(news);
    }

    List<News> kept() {
        return kept;
    }

    /**
     * The request has its answer, or failed; gives back what was kept, as far as it is still news.
     *
     * @param result null if what became of the request is not known
     */
    List<News> answered(@Nullable Result result) {
        answer = result;
        return kept.stream().filter(this::isNews).toList();
    }

    /** Whether the answer does not tell this already. */
    boolean isNews(News news) {
        if (answer == null || !news.ends(id)) {
            return true;
        }
        return answer instanceof Result.Queued queued && news.event().revision() > queued.revision();
    }
}
