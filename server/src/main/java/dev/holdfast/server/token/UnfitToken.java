package dev.holdfast.server.token;

/** A token proves nothing; the message says why, without a word of the token. */
final class UnfitToken extends Exception {
    private static final long serialVersionUID = 1L;

    UnfitToken(String why) {
        super(why, null, false, false); // an answer, not a defect: nobody reads its stack
    }
}
