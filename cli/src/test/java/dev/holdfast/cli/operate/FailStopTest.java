package dev.holdfast.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that cannot go on ends, and says why if it can. */
@Timeout(120)
class FailStopTest {
    private static final String HANGS = "hangs";

    /** What a process that has given up leaves. */
    private record End(int code, String words) {}

    /** A process with a thread that ends by something. */
    public static final class Victim {
        private Victim() {}

        public static void main(String[] arguments) throws InterruptedException {
            Thread.setDefaultUncaughtExceptionHandler(new FailStop());
            if (arguments[0].equals(HANGS)) {
                System.setErr(new PrintStream(new Hanging(), true, StandardCharsets.UTF_8));
                // A hook would wait for ever, too.
                Runtime.getRuntime().addShutdownHook(new Thread(Hanging::hang));
            }
            Thread thread = new Thread(() -> fail(arguments[0]), "worker");
            thread.start();
            new CountDownLatch(1).await();
        }

        private static void fail(String how) {
            switch (how) {
                case "memory" -> throw new IllegalStateException(new OutOfMemoryError("planted"));
                case "error" -> throw new LinkageError("planted");
                default -> throw new IllegalStateException("planted");
            }
        }
    }

    /** Nobody reads what is written here. */
    private static final class Hanging extends OutputStream {
        @Override
        public void write(int one) {
            hang();
        }

        private static void hang() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static End end(String how) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        how)
                .redirectErrorStream(true)
                .start();
        try {
            String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("the process ends")
                    .isTrue();
            return new End(process.exitValue(), words);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void a_thread_that_ends_by_an_exception_ends_the_process_with_a_code_of_its_own() throws Exception {
        End end = end("exception");
        assertThat(end.code()).isEqualTo(70);
        assertThat(end.words()).contains("holdfast: the thread worker ended", "planted");
    }

    @Test
    void so_does_one_that_ends_by_an_error() throws Exception {
        assertThat(end("error").code()).isEqualTo(70);
    }

    @Test
    void want_of_memory_has_the_code_of_the_jvm_whatever_it_is_wrapped_in() throws Exception {
        End end = end("memory");
        assertThat(end.code()).isEqualTo(3);
        assertThat(end.words()).contains("holdfast: the thread worker ended");
    }

    @Test
    void it_ends_although_nobody_reads_its_last_words_and_a_hook_hangs() throws Exception {
        assertThat(end(HANGS).code()).isEqualTo(70);
    }
}
