package dev.holdfast.cli.run;

/** A signal that asks a process to end. */
public enum StopSignal {
    HUP(1),
    INT(2),
    TERM(15);

    private final int number;

    StopSignal(int number) {
        this.number = number;
    }

    /** As shells number them, the same on all systems. */
    public int number() {
        return number;
    }
}
