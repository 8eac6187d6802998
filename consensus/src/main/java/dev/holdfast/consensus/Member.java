package dev.holdfast.consensus;

/**
 * One node of the cluster, as the log's configuration knows it.
 *
 * @param peerAddress {@code host:port} of its engine
 * @param clientAddress {@code host:port} where it serves clients and its peers' requests; empty for a witness
 */
public record Member(NodeId id, String peerAddress, String clientAddress, Part part) {

    /** What a member does for the cluster. */
    public enum Part {
        /** Votes, keeps the state, can lead. */
        VOTER,
        /** Votes and keeps the log, but no state: it serves nobody and hands leadership on at once. */
        WITNESS,
        /** Keeps the state without a vote: catching up, or reading only. */
        LEARNER
    }

    public boolean votes() {
        return part != Part.LEARNER;
    }

    /**
     * Whether it keeps the state, so that others may fetch it there. A learner that serves nobody will become a
     * witness.
     */
    public boolean isFull() {
        return part != Part.WITNESS && (part != Part.LEARNER || !clientAddress.isEmpty());
    }
}
