package dev.holdfast.server.propose;

import dev.holdfast.server.request.RequestFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits for the next entry: bounded, any thread adds, the proposing thread takes.
 *
 * <p>What gives something back (release, cancel, revoke, renew) has as much room again, so a flood of acquires
 * cannot keep it out.
 */
final class WorkQueue {
    private final int mostWorks;
    private final long mostBytes;
    private List<Work> arrived = new ArrayList<>();
    private int works;
    private long bytes;
    private boolean closed;

    WorkQueue(int mostWorks, long mostBytes) {
        this.mostWorks = mostWorks;
        this.mostBytes = mostBytes;
    }

    /** Adds the works at once, and fails those for which there is no room. */
    void add(List<? extends Work> added) {
        List<Runnable> refusals = new ArrayList<>(0);
        synchronized (this) {
            for (Work work : added) {
                RequestFailure refusal = refusal(work);
                if (refusal == null) {
                    arrived.add(work);
                    works++;
                    bytes += work.bytes();
                } else {
                    refusals.add(() -> work.fail(refusal));
                }
            }
        }
        refusals.forEach(Runnable::run);
    }

    /** All that arrived since the last call; it still takes room until {@link #left}. */
    synchronized List<Work> take() {
        if (arrived.isEmpty()) {
            return List.of();
        }
        List<Work> taken = arrived;
        arrived = new ArrayList<>();
        return taken;
    }

    synchronized boolean isEmpty() {
        return arrived.isEmpty();
    }

    /** The work is in an entry, or has failed. */
    synchronized void left(Work work) {
        works--;
        bytes -= work.bytes();
    }

    synchronized int size() {
        return works;
    }

    /** Refuses what comes from now on. */
    synchronized void close() {
        closed = true;
    }

    private @Nullable RequestFailure refusal(Work work) {
        if (closed) {
            return RequestFailure.notDone(RequestFailure.Reason.STOPPING, "this node is stopping; ask another");
        }
        int share = work.relieves() ? 2 : 1;
        if (works >= share * mostWorks || bytes + work.bytes() > share * mostBytes) {
            return RequestFailure.notDone(
                    RequestFailure.Reason.OVERLOADED,
                    "too much waits to be replicated: " + works + " requests of at most " + mostWorks + ", " + bytes
                            + " bytes of at most " + mostBytes);
        }
        return null;
    }
}
