package dev.holdfast.server.propose;

/** Counts what the batcher does. */
public interface BatchMetrics {
    BatchMetrics NONE = new BatchMetrics() {
        @Override
        public void proposed(int commands, int renewals) {}

        @Override
        public void applied(long nanosSinceProposed) {}
    };

    void proposed(int commands, int renewals);

    void applied(long nanosSinceProposed);
}
