package dev.holdfast.cli.talk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Holdfast;
import dev.holdfast.cli.Run;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Streams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.Writer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TalkTest {
    @Test
    void it_says_what_it_is_and_ends_with_the_input() {
        Run run = Run.of("", "talk");

        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("in memory, not replicated");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void what_the_banner_suggests_works() {
        String input =
                String.join("\n", TalkSession.TO_TRY.subList(0, 4)) + "\nafter 16s\n" + TalkSession.TO_TRY.get(4);
        Run run = Run.of(input, "talk");

        assertThat(run.out())
                .contains(TalkSession.TO_TRY)
                .contains("    alice holds orders/42, token 2")
                .contains("    bob waits for orders/42, 1st in line, behind alice")
                .contains("    alice's lease has expired")
                .contains("    bob holds orders/42, token 7")
                .contains("revision 2 at ");
    }

    @Test
    void quit_ends_it_at_once() {
        Run run = Run.of("quit\nalice opens a lease for 10s\n", "talk");

        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).doesNotContain("alice's lease is open");
    }

    @Test
    void help_lists_the_forms() {
        assertThat(Run.of("help\n", "talk").out())
                .contains("NAME locks ITEMS", "[, waits up to DURATION]", "in one entry:");
    }

    @Test
    void a_line_it_does_not_understand_does_not_end_it() {
        Run run = Run.of("alice opens a laese for 10s\nalice opens a lease for 10s\n", "talk");

        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("did you mean \"NAME opens a lease for DURATION\"", "    alice's lease is open");
    }

    @Test
    void several_lines_make_one_entry() {
        Run run = Run.of("in one entry:\n- alice opens a lease for 10s\n- bob opens a lease for 10s\n", "talk");

        assertThat(run.out()).contains("    alice's lease is open", "    bob's lease is open");
    }

    @Test
    void colours_are_for_terminals_only() {
        String input = "alice opens a lease for 10s\n";

        assertThat(Run.of(input, "talk").out()).doesNotContain("\u001b");
        assertThat(Run.of(new StringReader(input), true, "talk").out()).contains("\u001b");
    }

    @Test
    void an_expiry_shows_up_by_itself_while_nothing_is_typed() throws Exception {
        LineSignal expired = new LineSignal("alice's lease has expired");
        try (PipedWriter typed = new PipedWriter();
                PipedReader input = new PipedReader(typed)) {
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> Holdfast.run(
                    new Streams(
                            new BufferedReader(input),
                            new PrintWriter(expired, true),
                            new PrintWriter(Writer.nullWriter()),
                            false,
                            false),
                    "talk"));
            typed.write("alice opens a lease for 1s\n");
            typed.flush();

            expired.seen.get(30, TimeUnit.SECONDS);
            typed.write("quit\n");
            typed.flush();
            assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
        }
    }

    /** Tells when a text has been written. */
    private static final class LineSignal extends Writer {
        final CompletableFuture<String> seen = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();
        private final String awaited;

        LineSignal(String awaited) {
            this.awaited = awaited;
        }

        @Override
        public void write(char[] chars, int from, int length) throws IOException {
            text.append(chars, from, length);
            if (text.indexOf(awaited) >= 0) {
                seen.complete(awaited);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
