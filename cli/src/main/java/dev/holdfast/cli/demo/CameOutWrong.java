package dev.holdfast.cli.demo;

/** Something in the demonstration was not as it must be. */
final class CameOutWrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CameOutWrong(String what) {
        super(what);
    }

    static void unless(boolean right, String what) {
        if (!right) {
            throw new CameOutWrong(what);
        }
    }
}
