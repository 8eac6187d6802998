package dev.holdfast.server.watch;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.replica.LockReplica;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a grant was before it changed or ended.
 *
 * <p>A token says at which revision its grant came to be, so the history is asked for that event, and for how the grant
 * was described since; where it no longer has them, the value before has neither purpose nor metadata.
 */
public interface PreviousValues {
    /** For those who did not ask. */
    PreviousValues NONE = new PreviousValues() {
        @Override
        public Optional<Before> of(Event.ModeChanged event) {
            return Optional.empty();
        }

        @Override
        public Optional<Before> of(Event.Described event) {
            return Optional.empty();
        }

        @Override
        public Optional<Before> of(Event.Released event) {
            return Optional.empty();
        }
    };

    Optional<Before> of(Event.ModeChanged event);

    Optional<Before> of(Event.Described event);

    Optional<Before> of(Event.Released event);

    /** A grant as it was. */
    record Before(FencingToken token, List<Hold> holds, String purpose, Metadata metadata) {
        /** One of its keys as it was. */
        KeyEvent.State stateOf(KeyEvent.State now) {
            Hold hold = now.hold();
            Mode mode = hold.mode();
            for (Hold had : holds) {
                if (had.key().equals(hold.key())) {
                    mode = had.mode();
                }
            }
            return new KeyEvent.State(
                    hold.in(mode), now.holder(), now.lease(), token, token.revision(), purpose, metadata);
        }
    }

    static PreviousValues in(LockReplica replica) {
        Descriptions descriptions = new Descriptions(replica);
        return new PreviousValues() {
            @Override
            public Optional<Before> of(Event.ModeChanged event) {
                boolean upgraded = event.seq() != 0;
                FencingToken token = event.previousToken();
                Before asGiven = replica.ask(view -> {
                    List<Hold> asGranted = holdsAt(view, token.revision());
                    return before(view, token, modesBefore(event.holds(), asGranted, upgraded));
                });
                return Optional.of(described(asGiven, event));
            }

            @Override
            public Optional<Before> of(Event.Described event) {
                return Optional.of(unchanged(event.token(), event));
            }

            @Override
            public Optional<Before> of(Event.Released event) {
                // A downgrade keeps the token; the event itself has the modes at the end.
                return Optional.of(unchanged(event.token(), event));
            }

            private Before unchanged(FencingToken token, Event.OfLocks event) {
                return described(replica.ask(view -> before(view, token, event.holds())), event);
            }

            private Before described(Before before, Event event) {
                return descriptions
                        .latest(before.token(), event.revision())
                        .map(metadata -> new Before(before.token(), before.holds(), before.purpose(), metadata))
                        .orElse(before);
            }
        };
    }

    private static Before before(MachineView view, FencingToken token, List<Hold> holds) {
        Event.Granted granted = grant(view, token);
        return granted == null
                ? new Before(token, holds, "", Metadata.NONE)
                : new Before(token, holds, granted.purpose(), granted.metadata());
    }

    /** Follows upgrades back to the event that carries what the grant carries. */
    private static Event.@Nullable Granted grant(MachineView view, FencingToken token) {
        FencingToken next = token;
        while (view.oldestRevision() <= next.revision()) {
            Event event = view.event(next.revision());
            switch (event.kind()) {
                case GRANTED -> {
                    return (Event.Granted) event;
                }
                case MODE_CHANGED -> {
                    FencingToken before = ((Event.ModeChanged) event).previousToken();
                    if (before.compareTo(next) >= 0) {
                        return null;
                    }
                    next = before;
                }
                case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, RELEASED, DESCRIBED, DELAY_ENDED -> {
                    return null;
                }
            }
        }
        return null;
    }

    private static List<Hold> holdsAt(MachineView view, long revision) {
        return view.oldestRevision() <= revision && view.event(revision) instanceof Event.OfLocks event
                ? event.holds()
                : List.of();
    }

    /**
     * A downgrade follows a grant or an upgrade, so what that gave is what was. An upgrade follows a grant with
     * something shared in it, or a downgrade, which left everything shared.
     */
    private static List<Hold> modesBefore(List<Hold> now, List<Hold> asGranted, boolean upgraded) {
        if (upgraded && asGranted.stream().noneMatch(hold -> hold.mode() == Mode.SHARED)) {
            return withMode(now, Mode.SHARED);
        }
        return asGranted.isEmpty() ? withMode(now, Mode.EXCLUSIVE) : asGranted;
    }

    private static List<Hold> withMode(List<Hold> holds, Mode mode) {
        return holds.stream().map(hold -> hold.in(mode)).toList();
    }
}
