package dev.holdfast.consensus;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a log drives: a state that changes only by committed entries.
 *
 * <p>{@link #apply}, {@link #cut} and {@link #load} are called by one thread at a time, in log order.
 */
public interface Replica {

    /** Applies one committed entry. An exception means that this node no longer agrees: the log stops. */
    void apply(long term, long index, byte[] entry);

    /** The state as it is now, to be written by another thread while entries go on. One at a time. */
    Cut cut();

    /** Replaces the state by that of a snapshot, taken after the entry at {@code index}. */
    void load(long term, long index, InputStream snapshot) throws IOException;

    /** Follows the node's role. Called in order, from any thread; must return quickly and must not call the log. */
    void roleChanged(Role role);

    /**
     * The log cannot go on: a failed write, a corrupt file, a divergence. The process must end; it must not wait for
     * {@link ReplicatedLog#close} here.
     *
     * @param message names the file or the reason, and what to do
     */
    void failed(String message, @Nullable Throwable cause);

    /** A consistent state being written. */
    interface Cut extends AutoCloseable {

        /** The next bytes; none for nothing yet; {@code null} at the end. Safe while entries are applied. */
        byte @Nullable [] next();

        /** Gives up, or is done: the next cut may be made. */
        @Override
        void close();
    }
}
