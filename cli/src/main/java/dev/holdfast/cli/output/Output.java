package dev.holdfast.cli.output;

import java.util.List;
import picocli.CommandLine.Option;

/** The option that says in which form a command's answer is written, and the writing. */
public final class Output {
    /** A form of output. */
    public enum Format {
        TABLE,
        JSON,
        NAME
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            defaultValue = "table",
            description = "table, json, or name for bare names, one per line (default: table)")
    private Format format = Format.TABLE;

    private final Streams streams;

    public Output(Streams streams) {
        this.streams = streams;
    }

    public Format format() {
        return format;
    }

    /**
     * Writes an answer in the form that was asked for.
     *
     * @param json a message, or maps and lists of values
     */
    public void show(Table table, Object json, List<String> names) {
        switch (format) {
            case TABLE -> table.print(streams.out(), new Ink(streams.coloured()));
            case JSON -> streams.out().println(Json.pretty(json));
            case NAME -> names.forEach(name -> streams.out().println(Printable.of(name)));
        }
        streams.out().flush();
    }
}
