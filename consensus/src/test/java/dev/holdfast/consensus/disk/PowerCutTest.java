package dev.holdfast.consensus.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.LogException;
import dev.holdfast.consensus.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerCutTest {
    private static final int SEEDS = Integer.getInteger("holdfast.seeds", 30);

    @TempDir
    Path directory;

    @Test
    void what_was_acknowledged_is_there_after_power_cuts_and_the_node_starts() throws IOException {
        int torn = 0;
        long first = Long.getLong("holdfast.seed", 1);
        for (long seed = first; seed < first + SEEDS; seed++) {
            torn += cutPower(seed) ? 1 : 0;
        }
        assertThat(torn).as("runs that lost a batch").isPositive();
    }

    private boolean cutPower(long seed) throws IOException {
        Path here = directory.resolve(Long.toString(seed));
        Random random = new Random(seed);
        List<String> proposed = new ArrayList<>();
        boolean torn = false;
        for (int cut = 0; cut < 3; cut++) {
            int acknowledged = writeUntilCut(here, random, proposed);
            List<String> found = Logs.read(here);
            assertThat(found).as("seed %d", seed).hasSizeGreaterThanOrEqualTo(acknowledged);
            assertThat(found).as("seed %d", seed).isEqualTo(proposed.subList(0, found.size()));
            torn |= found.size() < proposed.size();
            proposed.subList(found.size(), proposed.size()).clear();
        }
        return torn;
    }

    /** How many of those proposed were acknowledged. */
    private static int writeUntilCut(Path here, Random random, List<String> proposed) throws IOException {
        DiskSettings settings = new DiskSettings(Logs.SELF, here, Logs.NEVER, 16 << 10);
        int acknowledged = proposed.size();
        PowerCut power = new PowerCut(random, random.nextInt(15));
        DiskLog log = new DiskLog(settings, new Ledger(), power);
        try {
            log.start();
        } catch (IOException | LogException e) {
            assertThat(power.happened()).as("refused: %s", e).isTrue();
            return acknowledged;
        }
        List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
        for (boolean on = true; on; ) {
            String entry = proposed.size() + (random.nextInt(3) == 0 ? "\0" : "-").repeat(random.nextInt(3000));
            CompletableFuture<Outcome> outcome = Logs.propose(log, Ledger.bytes(entry));
            boolean refused = outcome.isDone() && outcome.join() instanceof Outcome.NotAppended;
            if (!refused) {
                proposed.add(entry);
                outcomes.add(outcome);
            }
            on = !refused && (random.nextInt(4) != 0 || outcome.join() instanceof Outcome.Applied);
        }
        log.close();
        for (CompletableFuture<Outcome> outcome : outcomes) {
            acknowledged += outcome.join() instanceof Outcome.Applied ? 1 : 0;
        }
        return acknowledged;
    }
}
