package dev.holdfast.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The text file: what crashes, full disks and growth do to it. */
@Timeout(60)
class StoreTest {
    private static final long NEVER = Long.MAX_VALUE / 8;

    @TempDir
    Path root;

    @Test
    void new_directory_is_its_owners_alone() throws Exception {
        Path fresh = root.resolve("above/fresh");
        Store.open(fresh, NEVER).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
                .isEqualTo("rwx------");
    }

    @Test
    void file_cut_anywhere_has_the_writes_before_the_cut_and_no_other() throws Exception {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        Random random = new Random(seed);
        try (Store store = Store.open(root, NEVER)) {
            for (int token = 1; token <= 20; token++) {
                store.write(Access.exclusive("a", token), "c", "v" + token + "ü\n");
            }
        }
        Path file = root.resolve("data.txt");
        byte[] all = Files.readAllBytes(file);
        for (int round = 0; round < 200; round++) {
            int cut = random.nextInt(all.length + 1);
            byte[] left = Arrays.copyOf(all, cut);
            Files.write(file, left);
            long whole = new String(left, StandardCharsets.UTF_8).lines().count()
                    - (cut > 0 && left[cut - 1] != '\n' ? 1 : 0);
            try (Store store = Store.open(root, NEVER)) {
                assertThat(store.look("a").map(Value::data))
                        .as("seed %d, cut at %d", seed, cut)
                        .isEqualTo(whole == 0 ? Optional.empty() : Optional.of("v" + whole + "ü\n"));
                if (whole > 1) {
                    assertThatThrownBy(() -> store.write(Access.exclusive("a", whole - 1), "c", "old"))
                            .isInstanceOf(StaleTokenException.class);
                }
            }
        }
    }

    @Test
    void garbage_behind_the_last_line_goes_and_damage_in_the_middle_stops_the_start() throws Exception {
        try (Store store = Store.open(root, NEVER)) {
            store.write(Access.exclusive("a", 1), "c", "one");
            store.write(Access.exclusive("a", 2), "c", "two");
        }
        Path file = root.resolve("data.txt");
        Files.writeString(file, "0000\n\0\0\0\n12", StandardOpenOption.APPEND);
        try (Store store = Store.open(root, NEVER)) {
            assertThat(store.look("a").orElseThrow().data()).isEqualTo("two");
            store.write(Access.exclusive("a", 3), "c", "three");
        }
        String text = Files.readString(file);
        assertThat(text.lines()).hasSize(3);
        Files.writeString(file, text.replace("two", "tow"));
        assertThatThrownBy(() -> Store.open(root, NEVER))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("data.txt", "line 3", "damaged");
    }

    @Test
    void file_that_grows_is_written_anew_with_what_still_counts() throws Exception {
        Path file = root.resolve("data.txt");
        try (Store store = Store.open(root, 10_000)) {
            store.read(Access.exclusive("entered", 77));
            for (int i = 1; i <= 2_000; i++) {
                store.write(Access.exclusive("k" + i % 5, i), "c", "value " + i);
                assertThat(Files.size(file)).isLessThan(12_000);
            }
        }
        Files.writeString(root.resolve("data.txt.new"), "left over from a crash");
        try (Store store = Store.open(root, 10_000)) {
            for (int i = 1_996; i <= 2_000; i++) {
                int token = i;
                assertThat(store.look("k" + i % 5).orElseThrow().data()).isEqualTo("value " + i);
                assertThatThrownBy(() -> store.read(Access.exclusive("k" + token % 5, token - 1)))
                        .isInstanceOf(StaleTokenException.class);
            }
            assertThatThrownBy(() -> store.write(Access.exclusive("entered", 76), "c", "old"))
                    .isInstanceOf(StaleTokenException.class);
        }
        assertThat(root.resolve("data.txt.new")).doesNotExist();
    }

    @Test
    void full_disk_refuses_the_write_and_leaves_what_was_there() throws Exception {
        Path small = Files.createDirectory(root.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "holdfast-test", small.toString()) == 0);
        try {
            try (Store store = Store.open(small, NEVER)) {
                store.write(Access.exclusive("a", 33), "c", "before");
                assertThatThrownBy(() -> store.write(Access.exclusive("a", 34), "c", "x".repeat(100_000)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("was not added to")
                        .hasMessageContaining("space");
                assertThat(store.look("a").orElseThrow().data()).isEqualTo("before");
                store.write(Access.exclusive("a", 34), "c", "after");
            }
            try (Store restarted = Store.open(small, NEVER)) {
                assertThat(restarted.look("a").orElseThrow().data()).isEqualTo("after");
            }
        } finally {
            run("umount", small.toString());
        }
    }

    @Test
    void line_with_a_flipped_bit_is_none() {
        byte[] line = new Line("a/ü", "x33:0", new Value("c", 33, "data\n")).bytes();
        byte[] body = Arrays.copyOf(line, line.length - 1);
        assertThat(Line.of(body)).isPresent();
        for (int i = 0; i < body.length; i++) {
            byte[] flipped = body.clone();
            flipped[i] ^= 4;
            assertThat(Line.of(flipped)).as("byte %d", i).isEmpty();
        }
        for (byte[] other : List.of(new byte[0], new byte[8], new byte[9])) {
            assertThat(Line.of(other)).isEmpty();
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
