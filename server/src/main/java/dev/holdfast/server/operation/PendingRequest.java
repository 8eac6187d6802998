package dev.holdfast.server.operation;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

        /** Made on the thread that applied the event: some of the answer is looked up in the state. */
        public static News of(Event event, Stamp stamp, LockReplica replica) {
            return new News(event, ending(event, stamp, replica).orElse(null), stamp);
        }

        /** Whether it ended the wait of this request. */
        boolean ends(RequestId id) {
            return ending != null
                    && event instanceof Event.OfLocks ofLocks
                    && RequestId.of(ofLocks).equals(id);
        }

        /** What a request that waited is answered by this event, if it ends a wait. */
        private static Optional<Answer> ending(Event event, Stamp stamp, LockReplica replica) {
            return switch (event.kind()) {
                case GRANTED -> {
                    Event.Granted granted = (Event.Granted) event;
                    yield granted.queuedRevision() > 0 ? answer(granted(granted), stamp) : Optional.empty();
                }
                case MODE_CHANGED -> {
                    Event.ModeChanged changed = (Event.ModeChanged) event;
                    yield changed.seq() != 0 ? answer(upgraded(changed, replica), stamp) : Optional.empty();
                }
                case LEFT -> answer(refusal((Event.Left) event), stamp);
                case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, RELEASED, DESCRIBED, DELAY_ENDED ->
                    Optional.empty();
            };
        }

        private static Optional<Answer> answer(Result result, Stamp stamp) {
            return Optional.of(new Answer(result, stamp));
        }

        private static Result granted(Event.Granted granted) {
            return new Result.Granted(
                    granted.token(), granted.holds(), granted.leaseEndMillis(), granted.holdEndMillis());
        }

        /** The event does not say when lease and hold end; the answer that is kept for the upgrade does. */
        private static Result upgraded(Event.ModeChanged changed, LockReplica replica) {
            LeaseId id = changed.party().lease();
            return replica.ask(view -> {
                if (view.finished(id, changed.seq()).orElse(null) instanceof Result.Granted granted) {
                    return granted;
                }
                long leaseEnd = view.leaseEndMillis(id).orElse(changed.at());
                return new Result.Granted(changed.token(), changed.holds(), leaseEnd, 0);
            });
        }

        private static Result refusal(Event.Left left) {
            String key = left.holds().get(0).key().toString();
            return switch (left.reason()) {
                case TIMEOUT -> new Result.Refused(Refusal.TIMEOUT, key);
                case LEASE_EXPIRED, LEASE_REVOKED -> new Result.Refused(Refusal.LEASE_ENDED, "lease");
                case GRANT_ENDED -> new Result.Refused(Refusal.GRANT_ENDED, key);
                case RELEASED, CANCELLED, MAX_HOLD, FORCED, RESTORED -> new Result.Refused(Refusal.CANCELLED, key);
            };
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
