package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Budget;
import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What it costs to say what was before events, counted in events and holds that are looked at. */
class PreviousValuesCostTest {
    private static final int GRANTS = 500;
    private static final int HOLDS = 64;
    private static final int PIECE = 100;
    private static final Event.Party PARTY = new Event.Party(new LeaseId(1), "c", 1);

    private final List<Event> history = new ArrayList<>();
    private long events;
    private long holds;

    @Test
    void each_event_and_each_hold_is_looked_at_a_few_times_however_many_there_are() {
        for (int grant = 0; grant < GRANTS; grant++) {
            granted(holds(grant, Mode.EXCLUSIVE));
        }
        List<Event> asked = new ArrayList<>();
        for (int grant = 0; grant < GRANTS; grant++) {
            asked.add(downgraded(new FencingToken(grant + 1L), holds(grant, Mode.SHARED)));
        }
        for (int grant = 0; grant < GRANTS; grant++) {
            asked.add(released(new FencingToken(grant + 1L), holds(grant, Mode.SHARED)));
        }
        PreviousValues previous = PreviousValues.of(asked, this::before, Budget.ofVisits(history.size() + 1L));
        assertThat(events).isLessThanOrEqualTo(history.size());
        KeyEvents told = KeyEvents.withoutLeases();
        for (Event event : asked) {
            assertThat(told.of(event, hold -> true, previous))
                    .hasSize(HOLDS)
                    .allSatisfy(each -> assertThat(each.previous()).isNotNull());
        }
        assertThat(holds).isLessThanOrEqualTo(2L * asked.size() * HOLDS);
    }

    /** As the machine's history gives them. */
    private List<Event> before(long revision) {
        int end = (int) Math.min(revision - 1, history.size());
        List<Event> piece = new ArrayList<>();
        for (int next = end; next > Math.max(0, end - PIECE); next--) {
            piece.add(history.get(next - 1));
        }
        return new AbstractList<>() {
            @Override
            public Event get(int index) {
                events++;
                return piece.get(index);
            }

            @Override
            public int size() {
                return piece.size();
            }
        };
    }

    private List<Hold> holds(int grant, Mode mode) {
        List<Hold> all = new ArrayList<>();
        for (int i = 0; i < HOLDS; i++) {
            all.add(Hold.of(LockKey.of(grant + "/" + i), Kind.PLAIN, mode));
        }
        return new AbstractList<>() {
            @Override
            public Hold get(int index) {
                holds++;
                return all.get(index);
            }

            @Override
            public int size() {
                return all.size();
            }
        };
    }

    private long next() {
        return history.size() + 1L;
    }

    private void granted(List<Hold> held) {
        FencingToken token = new FencingToken(next());
        history.add(new Event.Granted(next(), 0, 0, PARTY, held, token, 0, 0, 0, "", Metadata.NONE));
    }

    private Event downgraded(FencingToken token, List<Hold> held) {
        Event event = new Event.ModeChanged(next(), 0, 0, PARTY, held, token, token, 0);
        history.add(event);
        return event;
    }

    private Event released(FencingToken token, List<Hold> held) {
        Event event = new Event.Released(next(), 0, 0, PARTY, held, token, EndReason.RELEASED, "");
        history.add(event);
        return event;
    }
}
