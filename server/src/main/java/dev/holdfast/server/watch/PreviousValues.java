package dev.holdfast.server.watch;

import dev.holdfast.core.Budget;
import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.Event;
import dev.holdfast.server.replica.LockReplica;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What grants were before they changed or ended.
 *
 * <p>A grant's history is found by one walk back for all events that are asked about, within a {@link Budget}. Where the
 * walk does not come to the beginning of a grant, because the history has forgotten it or because that is too far, the
 * value before is not known: none is told rather than half of one.
 */
public final class PreviousValues {
    /** For those who did not ask. */
    public static final PreviousValues NONE = new PreviousValues(Map.of());

    private final Map<Long, Before> byRevision;

    private PreviousValues(Map<Long, Before> byRevision) {
        this.byRevision = byRevision;
    }

    /** What was before some events, which are in order. */
    public static PreviousValues of(List<Event> events, LockReplica replica) {
        return of(events, new PastEvents(replica)::before, Budget.ofQuestion());
    }

    static PreviousValues of(List<Event> events, LongFunction<List<Event>> past, Budget budget) {
        Map<Long, Before> found = new HashMap<>();
        for (GrantSearch search : GrantSearch.walk(events, past, budget)) {
            search.found().ifPresent(before -> found.put(search.revision(), before));
        }
        return found.isEmpty() ? NONE : new PreviousValues(found);
    }

    /** What was before an event; empty where there was nothing, and where that is not known. */
    Optional<Before> of(Event event) {
        return Optional.ofNullable(byRevision.get(event.revision()));
    }

    /**
     * A grant as it was.
     *
     * @param modes how its keys were held, if otherwise than the event says
     */
    record Before(FencingToken token, @Nullable Map<LockKey, Mode> modes, String purpose, Metadata metadata) {
        /** One of its keys as it was. */
        KeyEvent.State stateOf(KeyEvent.State now) {
            Hold hold = now.hold();
            Mode mode = modes == null ? hold.mode() : modes.getOrDefault(hold.key(), hold.mode());
            return new KeyEvent.State(
                    hold.in(mode), now.holder(), now.lease(), token, token.revision(), purpose, metadata);
        }
    }
}
