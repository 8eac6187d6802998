package dev.holdfast.cli.demo;

/** Something in the demonstration was not as it must be. */
final class DemoFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoFailure(String what) {
        super(what);
    }

    static void unless(boolean right, String what) {
        if (!right) {
            throw new DemoFailure(what);
        }
    }
}
