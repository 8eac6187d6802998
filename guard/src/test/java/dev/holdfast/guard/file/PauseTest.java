package dev.holdfast.guard.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.contract.LocalCluster;
import dev.holdfast.contract.pause.MemoryDisk;
import dev.holdfast.contract.pause.Outcome;
import dev.holdfast.contract.pause.Tally;
import dev.holdfast.contract.pause.Trial;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holders of a real lock are stopped for longer than their lease, between reading a file and writing it. */
@Tag("slow")
@Timeout(300)
class PauseTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.long");
    private static final int PAUSES = LONG ? 20 : 2;
    private static final long UPDATES = LONG ? 20_000 : 2_000;

    @TempDir(factory = MemoryDisk.class)
    Path root;

    @Test
    void guarded_file_takes_no_stale_write_and_one_that_is_not_guarded_loses_updates() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root.resolve("cluster"), 1)) {
            Outcome guarded =
                    new Trial(cluster.endpoints(), "guarded", Guarded.class, file("guarded")).run(PAUSES, UPDATES);
            Outcome unguarded =
                    new Trial(cluster.endpoints(), "unguarded", Unguarded.class, file("unguarded")).run(PAUSES / 2, 0);
            System.out.println("file, guarded:   " + guarded);
            System.out.println("file, unguarded: " + unguarded);
            guarded.requireNoHarm();
            assertThat(guarded.updates()).isGreaterThanOrEqualTo(UPDATES);
            unguarded.requireHarm();
        }
    }

    private String file(String name) {
        return root.resolve(name).toString();
    }

    /** A number in a guarded file. */
    public static class Guarded implements Tally {
        private final GuardedFile file;

        public Guarded(String path) {
            file = new GuardedFile(Path.of(path), "key");
        }

        @Override
        public OptionalLong read(long token) throws IOException {
            try {
                return OptionalLong.of(file.read(Access.exclusive("key", token))
                        .map(bytes -> Long.parseLong(new String(bytes, UTF_8)))
                        .orElse(0L));
            } catch (StaleTokenException e) {
                return OptionalLong.empty();
            }
        }

        @Override
        public boolean write(long token, long number) throws IOException {
            try {
                file.replace(
                        Access.exclusive("key", token), Long.toString(number).getBytes(UTF_8));
                return true;
            } catch (StaleTokenException e) {
                return false;
            }
        }

        @Override
        public void close() {}
    }

    /** The same, if nobody compared tokens: all show the same one. */
    public static final class Unguarded extends Guarded {
        public Unguarded(String path) {
            super(path);
        }

        @Override
        public OptionalLong read(long token) throws IOException {
            return super.read(1);
        }

        @Override
        public boolean write(long token, long number) throws IOException {
            return super.write(1, number);
        }
    }
}
