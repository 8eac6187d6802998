package dev.holdfast.consensus;

/** What became of a proposed entry, as far as the proposing node knows. */
public sealed interface Outcome {

    /** It is committed, and applied here. */
    record Applied(long term, long index) implements Outcome {}

    /** It is in no log and never will be: proposing it again is safe. */
    record NotAppended(String reason) implements Outcome {}

    /**
     * It may or may not come to be applied. Applying tells: once an entry of a later term is applied, one
     * that has not been never will be.
     */
    record Unknown(String reason) implements Outcome {}
}
