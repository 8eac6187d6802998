package dev.holdfast.server.replica;

import dev.holdfast.core.query.MachineView;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/** Lets callers wait until this node has applied an entry. */
public final class Progress implements ReplicaListener {
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(Comparator.comparingLong(Waiting::index));
    private long reached = -1;

    private record Waiting(long index, CompletableFuture<Void> done) {}

    /** Completes once this node has applied the entry at {@code index}, on the apply thread or at once. */
    public CompletableFuture<Void> reached(long index) {
        synchronized (this) {
            if (index > reached) {
                Waiting added = new Waiting(index, new CompletableFuture<>());
                waiting.add(added);
                return added.done();
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** Whether somebody waits. */
    public synchronized boolean isAwaited() {
        return !waiting.isEmpty();
    }

    @Override
    public void applied(AppliedEntry entry) {
        moveTo(entry.index());
    }

    @Override
    public void replaced(MachineView view, long index) {
        moveTo(index);
    }

    private void moveTo(long index) {
        while (true) {
            Waiting next;
            synchronized (this) {
                reached = index;
                next = waiting.peek();
                if (next == null || next.index() > index) {
                    return;
                }
                waiting.remove();
            }
            next.done().complete(null);
        }
    }
}
