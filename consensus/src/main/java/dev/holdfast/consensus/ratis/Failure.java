package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Replica;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place that tells the replica that this node cannot go on: at most once, and not after it was stopped. */
final class Failure {
    private static final Logger LOG = LoggerFactory.getLogger(Failure.class);

    private final Replica replica;
    private final Path directory;
    private final AtomicBoolean over = new AtomicBoolean();

    Failure(Replica replica, Path directory) {
        this.replica = replica;
        this.directory = directory;
    }

    void report(String what, @Nullable Throwable cause) {
        if (over.compareAndSet(false, true)) {
            LOG.error("the log in {} cannot continue: {}", directory, what, cause);
            replica.failed(what + " (log in " + directory + ')', cause);
        }
    }

    /** From here on trouble is part of stopping. */
    void stopped() {
        over.set(true);
    }
}
