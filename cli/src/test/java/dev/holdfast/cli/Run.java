package dev.holdfast.cli;

import dev.holdfast.cli.output.Streams;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The command run once in this process. What a process of its own has, such as signals, a terminal and its exit, is for
 * {@link Subprocess}.
 *
 * @param code its exit code
 */
public record Run(int code, String out, String err) {

    public static Run of(String input, String... args) {
        return of(new StringReader(input), false, args);
    }

    /** Runs it against a cluster; its name is one word. */
    public static Run at(String endpoints, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(1, List.of("--endpoints", endpoints));
        return of("", all.toArray(String[]::new));
    }

    public static Run of(Reader input, boolean terminal, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Streams streams =
                new Streams(new BufferedReader(input), new PrintWriter(out), new PrintWriter(err), terminal, terminal);
        int code = Holdfast.run(streams, args);
        streams.out().flush();
        streams.err().flush();
        return new Run(code, out.toString(), err.toString());
    }
}
