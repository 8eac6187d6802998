package dev.holdfast.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads, on the newest Java that this machine has, whichever one runs the tests. */
@Timeout(180)
class NewestJavaTest {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"([0-9]+)");

    private record Java(int version, Path home) {}

    @Test
    void behaviour_33_virtual_threads_work_on_the_newest_java() throws Exception {
        Optional<Java> newest = newest();
        assumeTrue(newest.isPresent(), "no Java with virtual threads is installed");
        int code = new ProcessBuilder(
                        newest.get().home().resolve("bin").resolve("java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NewestJavaTest.class.getName())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    private static Optional<Java> newest() throws IOException {
        Path all = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(all)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(all)) {
            return homes.flatMap(home -> version(home).stream())
                    .filter(java -> java.version() >= FIRST_WITH_VIRTUAL_THREADS)
                    .max(Comparator.comparingInt(Java::version));
        }
    }

    private static Optional<Java> version(Path home) {
        try {
            Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
            return version.find() ? Optional.of(new Java(Integer.parseInt(version.group(1)), home)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // no home of a Java
        }
    }

    /** Runs on the other Java. */
    public static void main(String[] arguments) throws Exception {
        ThreadsTest.root = Files.createTempDirectory("threads");
        ThreadsTest.start();
        new ThreadsTest().behaviour_33_any_thread_may_release_a_grant_and_virtual_threads_work();
        new ThreadsTest().behaviour_33_virtual_threads_wait_in_the_views_without_keeping_a_carrier();
        ThreadsTest.stop();
        System.exit(0);
    }
}
