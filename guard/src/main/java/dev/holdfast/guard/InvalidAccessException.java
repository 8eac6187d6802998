package dev.holdfast.guard;

/** What was shown to a guard is not an access, or not one to its resource: the caller has an error to fix. */
public final class InvalidAccessException extends IllegalArgumentException {
    private final String field;
    private final String problem;

    /**
     * Creates an exception that names what is wrong.
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

    /** What is wrong with it, for callers that give the field another name. */
    public String problem() {
        return problem;
    }
}
