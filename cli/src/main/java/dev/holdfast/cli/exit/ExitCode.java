package dev.holdfast.cli.exit;

/** What the command's exit code says, after sysexits.h. */
public final class ExitCode {
    public static final int OK = 0;

    /** Something came out differently than it should. */
    public static final int DIFFERENT = 1;

    /** The node ran out of memory: what the JVM ends with, too, given {@code -XX:+ExitOnOutOfMemoryError}. */
    public static final int OUT_OF_MEMORY = 3;

    /** The command line, or a file named on it, is wrong. */
    public static final int USAGE = 64;

    /** No node answers, or not all that were asked. */
    public static final int UNAVAILABLE = 69;

    /** A fault in Holdfast itself, or a node that cannot go on. */
    public static final int FAULT = 70;

    /** The lock was not acquired in time, or the cluster refuses for now: try again later. */
    public static final int NOT_ACQUIRED = 75;

    /** The lock was lost while it was needed. */
    public static final int LOST = 76;

    /** The cluster does not know the caller, or does not let it. */
    public static final int DENIED = 77;

    /** Given as the child's code when no such command was found, as shells do. */
    public static final int NO_SUCH_COMMAND = 127;

    /** Added to the number of the signal that ended something, as shells do. */
    public static final int SIGNAL = 128;

    private ExitCode() {}
}
