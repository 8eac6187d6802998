package dev.holdfast.guard.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.Access;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that add to one file at the same time, and are killed at it. */
@Tag("slow")
@Timeout(120)
class CrashTest {
    private static final String LONG = "x".repeat(20_000);

    @TempDir
    Path root;

    @Test
    void what_was_acknowledged_is_there_and_nothing_is_there_in_part() throws Exception {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        Random random = new Random(seed);
        Path data = root.resolve("data");
        List<String> acknowledged = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            Appender one = new Appender(data, "one" + round);
            Appender two = new Appender(data, "two" + round);
            for (int i = random.nextInt(5, 30); i > 0; i--) {
                acknowledged.add(one.next());
                acknowledged.add(two.next());
            }
            one.kill();
            two.kill();
        }
        byte[] read = new GuardedFile(data, "a").read(Access.exclusive("a", 34)).orElseThrow();
        List<String> lines = new String(read, UTF_8).lines().toList();
        assertThat(read[read.length - 1]).as("seed %d", seed).isEqualTo((byte) '\n');
        assertThat(lines).as("seed %d", seed).allMatch(line -> line.endsWith(LONG));
        assertThat(lines.stream().map(line -> line.substring(0, line.indexOf(' '))))
                .as("seed %d", seed)
                .doesNotHaveDuplicates()
                .containsAll(acknowledged);
    }

    /** Adds lines as fast as it can, and tells of each that is done. */
    private static final class Appender {
        private final Process process;
        private final BufferedReader done;

        Appender(Path data, String name) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            CrashTest.class.getName(),
                            data.toString(),
                            name)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            done = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        }

        String next() throws IOException {
            String line = done.readLine();
            assertThat(line).as("the appending process ended").isNotNull();
            return line;
        }

        /** Kills it; what it told and was not read before does not matter. */
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    /** Runs in the other process. */
    public static void main(String[] arguments) throws IOException {
        GuardedFile file = new GuardedFile(Path.of(arguments[0]), "a");
        for (int i = 0; ; i++) {
            String name = arguments[1] + "-" + i;
            file.append(Access.exclusive("a", 33), (name + " " + LONG + "\n").getBytes(UTF_8));
            System.out.println(name);
        }
    }
}
