package dev.holdfast.cli.output;

import java.io.BufferedReader;
import java.io.PrintWriter;

/**
 * Where a command reads from and writes to.
 *
 * @param terminal whether a person sits at both ends, who sees what is typed and wants a prompt
 * @param coloured whether that person wants colours
 */
public record Streams(BufferedReader in, PrintWriter out, PrintWriter err, boolean terminal, boolean coloured) {}
