package dev.holdfast.guard;

/**
 * The highest token that has entered, and the last numbered write under it.
 *
 * @param token 0 if none has entered
 * @param sequence 0 if no write was numbered
 */
public record Mark(long token, long sequence) {
    public static final Mark NONE = new Mark(0, 0);

    public Mark {
        if (token < 0 || sequence < 0 || (token == 0 && sequence > 0)) {
            throw new IllegalArgumentException("mark: token " + token + " and sequence " + sequence + " do not exist");
        }
    }

    Mark raisedTo(Access access) {
        return access.token() == token
                ? new Mark(token, Math.max(sequence, access.sequence()))
                : new Mark(access.token(), access.sequence());
    }
}
