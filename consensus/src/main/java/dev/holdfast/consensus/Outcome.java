package dev.holdfast.consensus;

/** What happened to a proposed entry, as far as the proposing node knows. */
public sealed interface Outcome {

    /** It is committed, and applied here. */
    record Applied(long term, long index) implements Outcome {}

    /** It is in no log and never will be: proposing it again is safe. */
    record NotAppended(String reason) implements Outcome {}

    /**
     * It may or may not be applied. Once an entry of a later term has been applied and this one has not, it never will
     * be.
     */
    record Unknown(String reason) implements Outcome {}
}
