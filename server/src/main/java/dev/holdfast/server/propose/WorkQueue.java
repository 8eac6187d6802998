package dev.holdfast.server.propose;

import dev.holdfast.server.fair.Excess;
import dev.holdfast.server.fair.Room;
import dev.holdfast.server.request.RequestFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits for the next entry: bounded, any thread adds, the proposing thread takes.
 *
 * <p>Nobody gets all of it: see {@link Room}. What gives something back (release, cancel, revoke, renew) has as much
 * room again, so a flood of acquires cannot keep it out.
 */
final class WorkQueue {
    private final Room room;
    private List<Work> arrived = new ArrayList<>();
    private boolean closed;

    WorkQueue(int mostWorks, long mostBytes) {
        this.room = new Room("too much waits to be replicated", mostWorks, mostBytes);
    }

    /** Adds the works at once, and fails those for which there is no room. */
    void add(List<? extends Work> added) {
        List<Runnable> refusals = new ArrayList<>(0);
        synchronized (this) {
            for (Work work : added) {
                RequestFailure refusal = enter(work);
                if (refusal == null) {
                    arrived.add(work);
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
        room.leave(work.flow(), work.bytes());
    }

    synchronized int size() {
        return room.size();
    }

    /** Refuses what comes from now on. */
    synchronized void close() {
        closed = true;
    }

    /** Takes room for it, or says why there is none. */
    private @Nullable RequestFailure enter(Work work) {
        if (closed) {
            return RequestFailure.notDone(RequestFailure.Reason.STOPPING, "this node is stopping; ask another");
        }
        Excess excess = room.enter(work.flow(), work.bytes(), work.relieves() ? 2 : 1);
        return excess == null ? null : RequestFailure.overloaded(excess);
    }
}
