package dev.holdfast.cli;

/** What the command's exit code says, after sysexits.h. */
final class ExitCode {
    static final int OK = 0;

    /** Something came out differently than it should. */
    static final int DIFFERENT = 1;

    /** The command line, or a file named on it, is wrong. */
    static final int USAGE = 64;

    /** No node answers, or not all that were asked. */
    static final int UNAVAILABLE = 69;

    /** A fault in Holdfast itself, or a node that cannot go on. */
    static final int FAULT = 70;

    private ExitCode() {}
}
