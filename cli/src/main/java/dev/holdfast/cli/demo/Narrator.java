package dev.holdfast.cli.demo;

import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Streams;
import java.io.PrintWriter;

/** Tells what happens, a line at a time, as it happens. */
final class Narrator {
    private final PrintWriter out;
    private final Ink ink;

    Narrator(Streams streams) {
        this.out = streams.out();
        this.ink = new Ink(streams.coloured());
    }

    void title(String line) {
        out.println();
        out.println(ink.heading(line));
        out.flush();
    }

    /** What somebody does. */
    void does(String line) {
        out.println("  " + line);
        out.flush();
    }

    /** What comes of it. */
    void comesOut(String line) {
        line.lines().forEach(each -> out.println("      " + ink.outcome(each)));
        out.flush();
    }

    void verdict(boolean right, String line) {
        out.println("  " + (right ? ink.outcome("✓ " + line) : ink.error("✗ " + line)));
        out.flush();
    }

    void wrong(String line) {
        out.println("      " + ink.error(line));
        out.flush();
    }
}
