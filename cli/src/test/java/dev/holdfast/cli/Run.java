package dev.holdfast.cli;

import dev.holdfast.cli.output.Streams;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;

/**
 * The command run once.
 *
 * @param code its exit code
 */
public record Run(int code, String out, String err) {

    public static Run of(String input, String... args) {
        return of(new StringReader(input), false, args);
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
