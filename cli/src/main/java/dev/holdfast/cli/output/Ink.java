package dev.holdfast.cli.output;

/** Colours, on a terminal; elsewhere nothing. */
public record Ink(boolean coloured) {
    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";

    /** Leaves a line on which something stands, such as a prompt, for a clear one. */
    public String clearedLine() {
        return coloured ? "\r\u001b[K" : System.lineSeparator();
    }

    public String prompt() {
        return in(BOLD, ">") + " ";
    }

    public String outcome(String line) {
        return in(GREEN, line);
    }

    public String error(String line) {
        return in(RED, line);
    }

    public String heading(String line) {
        return in(BOLD, line);
    }

    /** A line of a transcript, by what it is. */
    public String transcriptLine(String line) {
        if (line.startsWith("#")) {
            return in(DIM, line);
        }
        return line.startsWith("    ") ? outcome(line) : in(BOLD, line);
    }

    private String in(String colour, String line) {
        return coloured && !line.isEmpty() ? colour + line + RESET : line;
    }
}
