package dev.holdfast.server.watch;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells the machine's events key by key: one for each key of interest, all of the same revision. */
public final class KeyEvents {
    private final LongPredicate mayKnowLease;

    /**
     * Tells events to one reader.
     *
     * @param mayKnowLease whether the reader may see the id of a lease, which is a secret of its owner
     */
    public KeyEvents(LongPredicate mayKnowLease) {
        this.mayKnowLease = mayKnowLease;
    }

    /** For readers who may see no lease id. */
    public static KeyEvents withoutLeases() {
        return new KeyEvents(lease -> false);
    }

    /** Whether it is neither a grant, nor a change or the end of one. */
    public static boolean isOther(Event event) {
        return switch (event.kind()) {
            case QUEUED, LEFT, DELAY_ENDED -> true;
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, GRANTED, RELEASED, MODE_CHANGED, DESCRIBED -> false;
        };
    }

    public List<KeyEvent> of(Event event, Predicate<Hold> wanted, PreviousValues previous) {
        List<KeyEvent> events = new ArrayList<>(1);
        if (event instanceof Event.OfLocks ofLocks) {
            for (Hold hold : ofLocks.holds()) {
                if (wanted.test(hold)) {
                    events.add(one(ofLocks, hold, previous));
                }
            }
        }
        return events;
    }

    /** What happened to one key. */
    public Optional<KeyEvent> of(Event event, LockKey key) {
        if (event instanceof Event.OfLocks ofLocks) {
            for (Hold hold : ofLocks.holds()) {
                if (hold.key().equals(key)) {
                    return Optional.of(one(ofLocks, hold, PreviousValues.NONE));
                }
            }
        }
        return Optional.empty();
    }

    private KeyEvent one(Event.OfLocks event, Hold hold, PreviousValues previous) {
        KeyEvent.State state = state(event, hold);
        return switch (event.kind()) {
            case GRANTED -> {
                Event.Granted granted = (Event.Granted) event;
                yield event(
                        KeyEvent.What.GRANTED,
                        event,
                        state.held(granted.token(), granted.purpose(), granted.metadata()));
            }
            case MODE_CHANGED -> {
                Event.ModeChanged changed = (Event.ModeChanged) event;
                Optional<PreviousValues.Before> before = previous.of(event);
                // What a grant carries does not change with its mode.
                Metadata metadata = before.map(PreviousValues.Before::metadata).orElse(Metadata.NONE);
                yield changed(KeyEvent.What.MODE_CHANGED, event, state, changed.token(), metadata, before);
            }
            case DESCRIBED -> {
                Event.Described described = (Event.Described) event;
                Optional<PreviousValues.Before> before = previous.of(event);
                yield changed(KeyEvent.What.DESCRIBED, event, state, described.token(), described.metadata(), before);
            }
            case RELEASED -> {
                Event.Released released = (Event.Released) event;
                yield event(
                        KeyEvent.What.ENDED,
                        event,
                        held(state, released.token()),
                        before(previous.of(event), state),
                        released.reason(),
                        released.detail());
            }
            case LEFT -> event(KeyEvent.What.LEFT, event, state, null, ((Event.Left) event).reason(), "");
            case QUEUED -> event(KeyEvent.What.QUEUED, event, state);
            case DELAY_ENDED -> event(KeyEvent.What.DELAY_ENDED, event, state);
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED -> throw new IllegalStateException("no word for " + event);
        };
    }

    private KeyEvent.State state(Event.OfLocks event, Hold hold) {
        long lease = event.party().lease().value();
        return new KeyEvent.State(
                hold,
                event.party().clientId(),
                mayKnowLease.test(lease) ? lease : 0,
                null,
                event.revision(),
                "",
                Metadata.NONE);
    }

    private static KeyEvent changed(
            KeyEvent.What what,
            Event.OfLocks event,
            KeyEvent.State state,
            FencingToken token,
            Metadata metadata,
            Optional<PreviousValues.Before> before) {
        String purpose = before.map(PreviousValues.Before::purpose).orElse("");
        return event(what, event, state.held(token, purpose, metadata), before(before, state), null, "");
    }

    private static KeyEvent.State held(KeyEvent.State state, FencingToken token) {
        return state.held(token, "", Metadata.NONE);
    }

    private static KeyEvent.@Nullable State before(Optional<PreviousValues.Before> before, KeyEvent.State state) {
        return before.map(found -> found.stateOf(state)).orElse(null);
    }

    private static KeyEvent event(KeyEvent.What what, Event.OfLocks event, KeyEvent.State state) {
        return event(what, event, state, null, null, "");
    }

    private static KeyEvent event(
            KeyEvent.What what,
            Event.OfLocks event,
            KeyEvent.State state,
            KeyEvent.@Nullable State previous,
            @Nullable EndReason reason,
            String detail) {
        return new KeyEvent(what, event.revision(), event.at(), event.wallMillis(), state, previous, reason, detail);
    }
}
