package dev.holdfast.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.operation.Derivation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LeaseSequenceTest {
    private static final LockKey KEY = LockKey.of("a");

    private final LeaseSequence sequence = new LeaseSequence(new Derivation("test"), "ann", "client", KEY);
    private final State state = new State();

    /** A state of a few leases, which counts how often it is looked at. */
    private static final class State implements Looks {
        private final Set<LeaseId> living = new HashSet<>();
        private final List<LeaseId> there = new ArrayList<>();
        private int looks;

        @Override
        public boolean lives(LeaseId lease) {
            looks++;
            return living.contains(lease);
        }

        @Override
        public boolean hasEnded(LeaseId lease) {
            looks++;
            return false;
        }

        @Override
        public Optional<List<LeaseId>> at(LockKey key, int most) {
            if (there.size() > most) {
                looks++;
                return Optional.empty();
            }
            looks += 1 + there.size();
            return Optional.of(there);
        }

        private void hold(LeaseId lease) {
            living.add(lease);
            there.add(lease);
        }
    }

    private LeaseId lease(int number) {
        return sequence.lease(number);
    }

    @Test
    void an_id_says_which_it_is() {
        for (int i = 0; i < LeaseSequence.MOST; i++) {
            assertThat(sequence.numberOf(lease(i))).isEqualTo(i);
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            assertThat(sequence.numberOf(new LeaseId(random.nextLong() | 1))).isEqualTo(-1);
        }
        assertThat(sequence.numberOf(lease(LeaseSequence.MOST))).isEqualTo(-1);
        LeaseSequence others = new LeaseSequence(new Derivation("test"), "bob", "client", KEY);
        assertThat(sequence.numberOf(others.lease(0))).isEqualTo(-1);
    }

    @Test
    void who_releases_what_it_never_had_costs_one_look() {
        assertThat(sequence.findHolding(state)).isFalse();
        assertThat(state.looks).isEqualTo(1);
    }

    @Test
    void what_is_at_the_key_is_looked_at_and_nothing_else() {
        for (int i = 0; i < 20; i++) {
            state.hold(new LeaseId(77 + i));
        }
        assertThat(sequence.findHolding(state)).isFalse();
        assertThat(state.looks).isEqualTo(21);
        state.hold(lease(500));
        assertThat(sequence.findHolding(state)).isTrue();
        assertThat(sequence.lease()).isEqualTo(lease(500));
        assertThat(state.looks).isEqualTo(21 + 22 + 1);
    }

    @Test
    void in_a_crowd_each_id_is_tried_once() {
        for (int i = 0; i < 1_000; i++) {
            state.hold(new LeaseId(77 + i));
        }
        assertThat(sequence.findHolding(state)).isFalse();
        assertThat(state.looks).isLessThanOrEqualTo(LeaseSequence.MOST + 2);
        state.hold(lease(639));
        assertThat(sequence.findHolding(state)).isTrue();
        assertThat(sequence.lease()).isEqualTo(lease(639));
    }

    @Test
    void a_lease_that_has_ended_holds_nothing() {
        state.there.add(lease(3));
        assertThat(sequence.findHolding(state)).isFalse();
    }
}
