package dev.holdfast.cli.output;

import java.util.regex.Pattern;

/** What others wrote, such as keys and purposes, made safe to show: it must not steer a terminal. */
public final class Printable {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private Printable() {}

    public static String of(String text) {
        return CONTROL.matcher(text).replaceAll("?");
    }
}
