package dev.holdfast.guard;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A guard that forgets everything when its process ends, for a resource that does the same.
 *
 * <p>Data that outlives the process needs marks that do the same, kept with the data: after a restart this guard lets
 * in the first access, stale or not.
 */
public final class MemoryGuard implements FencingGuard {
    public static final int DEFAULT_KEYS = 1_000_000;
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);

    private final int keys;
    private final Duration patience;
    private final ConcurrentHashMap<String, Gate> gates = new ConcurrentHashMap<>();

    public MemoryGuard() {
        this(DEFAULT_KEYS, DEFAULT_PATIENCE);
    }

    /**
     * Creates a guard with the given limits.
     *
     * @param keys the maximum number of keys it guards; it never forgets one
     * @param patience how long an access waits for older ones to leave
     */
    public MemoryGuard(int keys, Duration patience) {
        if (keys < 1) {
            throw new IllegalArgumentException("keys: must be positive, is " + keys);
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience: must not be negative, is " + patience);
        }
        this.keys = keys;
        this.patience = patience;
    }

    @Override
    public Entry enter(Access access) {
        return enter(access, entry -> entry);
    }

    /**
     * Enters and does something inside.
     *
     * @throws GuardBusyException if an access with an older token is inside, and does not leave in time
     * @throws GuardFullException if the key is new and there is no room for it
     */
    @Override
    public <T, X extends Exception> T enter(Access access, Body<T, X> body) throws X {
        Gate gate = gate(access);
        Entry entry = gate.enter(access, patience);
        try {
            T result = body.run(entry);
            gate.done(access);
            return result;
        } finally {
            gate.leave(access);
        }
    }

    private Gate gate(Access access) {
        Gate known = gates.get(access.key());
        if (known != null) {
            return known;
        }
        synchronized (gates) {
            if (gates.size() >= keys && !gates.containsKey(access.key())) {
                throw new GuardFullException(access, keys);
            }
            return gates.computeIfAbsent(access.key(), key -> new Gate());
        }
    }
}
