package dev.holdfast.simulator.log;

import org.jspecify.annotations.Nullable;

/** The term, and for whom the node voted in it. A file that is replaced whole: what is read is one of those written. */
final class VoteFile {
    private final Writes<Vote> writes;
    private Vote cached = new Vote(0, null);
    private Vote onMedium = cached;

    private record Vote(long term, @Nullable String forWhom) {}

    /** @param flushes told of each flush */
    VoteFile(Medium medium, Runnable flushes) {
        this.writes = new Writes<>(medium, vote -> onMedium = vote, flushes);
    }

    long term() {
        return cached.term();
    }

    @Nullable
    String forWhom() {
        return cached.forWhom();
    }

    void write(long term, @Nullable String forWhom) {
        cached = new Vote(term, forWhom);
        writes.add(cached);
    }

    /** Whether the node cannot forget it any more. */
    boolean isFlushed() {
        return writes.isEmpty();
    }

    void losePower() {
        writes.lose();
        cached = onMedium;
    }
}
