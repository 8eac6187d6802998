package dev.holdfast.guard;

/** What was shown to a guard cannot be an access, or not one to its resource: the caller has a fault to mend. */
public final class InvalidAccessException extends IllegalArgumentException {
    private final String field;
    private final String problem;

    /**
     * Names what is wrong.
     *
     * @param field what is wrong: {@code key}, {@code token}, {@code slot}, {@code mode} or {@code sequence}
     * @param problem what is wrong with it, and what would be right
     */
    public InvalidAccessException(String field, String problem) {
        super(field + ": " + problem);
        this.field = field;
        this.problem = problem;
    }

    public String field() {
        return field;
    }

    /** What is wrong with it, for those who call it by another name. */
    public String problem() {
        return problem;
    }
}
