package dev.holdfast.server.replica;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.request.Stamp;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * Tells those who wait on behalf of a lease what happens to it and to its requests, on whichever node they are.
 *
 * <p>A listener is added before the request is made, so it misses nothing: whatever happens to the request is applied
 * on this node later.
 */
public final class LeaseListeners implements ReplicaListener {
    private final ConcurrentHashMap<Long, Set<Listener>> byLease = new ConcurrentHashMap<>();

    /** Follows one lease. Called by the apply thread: must be quick. */
    public interface Listener {
        /** An event of the lease, or of a request of it. */
        void happened(Event event, Stamp stamp);

        /** A snapshot replaced the state: events may have been missed. Ask again. */
        void interrupted();
    }

    public void add(LeaseId lease, Listener listener) {
        byLease.compute(lease.value(), (id, listeners) -> {
            Set<Listener> set = listeners == null ? new CopyOnWriteArraySet<>() : listeners;
            set.add(listener);
            return set;
        });
    }

    public void remove(LeaseId lease, Listener listener) {
        byLease.computeIfPresent(lease.value(), (id, listeners) -> {
            listeners.remove(listener);
            return listeners.isEmpty() ? null : listeners;
        });
    }

    /** How many leases somebody follows. */
    public int leases() {
        return byLease.size();
    }

    @Override
    public void applied(AppliedEntry entry) {
        if (byLease.isEmpty()) {
            return;
        }
        for (Event event : entry.applied().events()) {
            Set<Listener> listeners = byLease.get(event.lease().value());
            if (listeners != null) {
                Stamp stamp = entry.stamp();
                listeners.forEach(listener -> listener.happened(event, stamp));
            }
        }
    }

    @Override
    public void replaced(MachineView view, long index) {
        byLease.values().forEach(listeners -> listeners.forEach(Listener::interrupted));
    }
}
