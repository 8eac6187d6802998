package dev.holdfast.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.model.CommandGenerator.Entry;
import dev.holdfast.core.model.CommandGenerator.Step;
import dev.holdfast.core.result.Applied;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A grant pass that looks at very little in one entry: what the naive model, which looks at everything, cannot say. */
class UnfinishedPassTest {
    private static final long SEEDS = Long.getLong("holdfast.seeds", 150);

    private static final long INTERLEAVINGS = 2 * SEEDS;

    /** One seed of so many is played to a second machine, too: restarts take long. */
    private static final long RESTARTED = 20;

    private static Batch looksAt(long tries) {
        return Batch.of(1, 0, 0, List.of(new Command.SetLimit(Limit.TRIES_PER_ENTRY, tries)));
    }

    @Test
    void a_node_that_restarts_in_the_middle_of_passes_does_what_the_others_do() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Machine stays = new RealMachine(false);
            Machine restarts = new RealMachine(true);
            stays.apply(1, looksAt(1 + seed % 3));
            restarts.apply(1, looksAt(1 + seed % 3));
            CommandGenerator generator = new CommandGenerator(seed, stays.image());
            for (int number = 0; number < Duel.STEPS; number++) {
                Step step = generator.next(stays.image());
                Applied expected = Duel.play(step, stays);
                Applied actual = Duel.play(step, restarts);
                assertThat(actual.events())
                        .as("events of seed %d, step %d", seed, number)
                        .isEqualTo(expected.events());
                assertThat(actual.results())
                        .as("results of seed %d, step %d", seed, number)
                        .isEqualTo(expected.results());
                assertThat(restarts.image())
                        .as("state of seed %d, step %d", seed, number)
                        .isEqualTo(stays.image());
                assertThat(restarts.stateHash())
                        .as("hash of seed %d, step %d", seed, number)
                        .isEqualTo(stays.stateHash());
            }
        }
    }

    /** The nodes of the test below: they do the same, though one of them restarts after every entry. */
    private static final class Nodes {
        final RealMachine stays = new RealMachine(false);
        final RealMachine restarts = new RealMachine(true);
        final long seed;
        long goneOn;

        Nodes(long seed) {
            this.seed = seed;
        }

        void play(Step step) {
            Applied expected = Duel.play(step, stays);
            if (seed % RESTARTED == 0) {
                Applied actual = Duel.play(step, restarts);
                assertThat(actual.events()).as("events of seed %d", seed).isEqualTo(expected.events());
                assertThat(restarts.stateHash()).as("hash of seed %d", seed).isEqualTo(stays.stateHash());
            }
        }

        /** Gives entries until nothing is left to do. */
        void drain() {
            while (stays.isDue()) {
                play(Bustle.entry(List.of()));
                goneOn++;
            }
        }
    }

    @Test
    void nobody_is_forgotten_whatever_happens_in_the_middle_of_a_pass() {
        long goneOn = 0;
        for (long seed = 1; seed <= INTERLEAVINGS; seed++) {
            Nodes nodes = new Nodes(seed);
            Bustle bustle = new Bustle(seed);
            nodes.play(bustle.first());
            for (int number = 1; number < Duel.STEPS; number++) {
                nodes.play(bustle.next(nodes.stays.image()));
                if (bustle.comesToRest()) {
                    nodes.drain();
                    assertThat(Grantable.in(nodes.stays.image()))
                            .as("those who wait in vain after step %d of seed %d", number, seed)
                            .isEmpty();
                }
            }
            goneOn += nodes.goneOn;
        }
        assertThat(goneOn).as("entries that went on with a pass").isGreaterThan(INTERLEAVINGS);
    }

    /** One machine looks at a little and is given entries until it has nothing left to do; another looks at everything. */
    private static final class Pair {
        final LockMachine whole = new LockMachine();
        final LockMachine parts = new LockMachine();
        long goneOn;

        void apply(long clockTerm, long stamp, long wall, long[] renewals, List<Command> commands) {
            Batch batch = new Batch(clockTerm, stamp, wall, renewals, commands);
            List<Object> expected = List.copyOf(whole.apply(1, batch).events());
            List<Object> actual = new ArrayList<>(parts.apply(1, batch).events());
            while (parts.nextDeadlineMillis() <= parts.image().header().now()) {
                actual.addAll(parts.apply(1, new Batch(0, 0, wall, new long[0], List.of()))
                        .events());
                goneOn++;
            }
            assertThat(actual).isEqualTo(expected);
            StateImage one = whole.image();
            StateImage other = parts.image();
            assertThat(other.locks()).isEqualTo(one.locks());
            assertThat(other.leases()).isEqualTo(one.leases());
        }
    }

    @Test
    void passes_in_parts_grant_what_one_pass_grants_and_in_the_same_order() {
        long goneOn = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Pair pair = new Pair();
            pair.parts.apply(1, looksAt(1 + seed % 3));
            CommandGenerator generator = new CommandGenerator(seed, pair.whole.image());
            for (int number = 0; number < Duel.STEPS; number++) {
                if (generator.next(pair.whole.image()) instanceof Entry entry) {
                    Batch batch = entry.batch();
                    long clockTerm = batch.clockTerm() == entry.term() ? 1 : 0;
                    pair.apply(clockTerm, batch.clusterTimeMillis(), batch.wallMillis(), batch.renewals(), List.of());
                    for (Command command : batch.commands()) {
                        // Parts take several entries: other limits of what an entry does would count anew in each.
                        if (!(command instanceof Command.SetLimit limit
                                && limit.limit().name().endsWith("_PER_ENTRY"))) {
                            pair.apply(0, 0, batch.wallMillis(), new long[0], List.of(command));
                        }
                    }
                }
            }
            goneOn += pair.goneOn;
        }
        assertThat(goneOn).as("entries that went on with a pass").isGreaterThan(SEEDS);
    }
}
