package dev.holdfast.consensus.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledProcessTest {
    private static final int KILLS = 6;

    @TempDir
    Path directory;

    @Test
    void what_was_acknowledged_is_there_after_the_process_was_killed() throws Exception {
        Random random = new Random(7);
        int snapshots = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            int acknowledged = killAfter(500 + random.nextInt(5000));
            Ledger ledger = new Ledger();
            try (DiskLog log = Logs.start(Logs.settings(directory), ledger)) {
                snapshots += log.latestSnapshot().isPresent() ? 1 : 0;
                assertThat(log.status().role().term()).isEqualTo(2 * kill + 2);
            }
            List<String> entries = ledger.entries();
            assertThat(entries).hasSizeGreaterThan(acknowledged);
            assertThat(entries)
                    .isEqualTo(IntStream.range(0, entries.size())
                            .mapToObj(Integer::toString)
                            .toList());
        }
        assertThat(snapshots).as("snapshots written under load").isPositive();
    }

    /** The highest number that the child said was acknowledged. It numbers its entries, and goes on where it was. */
    private int killAfter(int lines) throws IOException, InterruptedException {
        Process child = Child.start(directory);
        int highest = -1;
        int read = 0;
        try (BufferedReader acknowledged = child.inputReader(StandardCharsets.UTF_8)) {
            for (String line = acknowledged.readLine(); line != null; line = acknowledged.readLine()) {
                if (!line.matches(Child.ACKNOWLEDGED + "[0-9]+")) {
                    continue;
                }
                // A last line may be cut short by the kill, and then reads as a smaller number.
                highest = Math.max(highest, Integer.parseInt(line.substring(Child.ACKNOWLEDGED.length())));
                if (++read == lines) {
                    // Through the handle: the process itself would close the stream with what is still in it.
                    child.toHandle().destroyForcibly();
                }
            }
        }
        child.waitFor();
        assertThat(read).isGreaterThanOrEqualTo(lines);
        return highest;
    }
}
