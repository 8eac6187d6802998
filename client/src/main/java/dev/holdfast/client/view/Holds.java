package dev.holdfast.client.view;

import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.Grant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which threads of a client hold which locks, and how often they went in.
 *
 * <p>All views of one key count together: they are views of one lock. Nothing is kept for a lock that a thread does not
 * hold.
 */
final class Holds {
    private final Map<Place, Hold> held = new ConcurrentHashMap<>();

    /** The thread itself, not its number: a subclass of Thread may give any number. */
    private record Place(Thread thread, String key) {}

    /** The way to a grant, for a thread that has none. */
    @FunctionalInterface
    interface Taking<X extends Exception> {
        Optional<Grant> take() throws X;
    }

    /**
     * Lets the calling thread in: once more if it is in already, else by a grant.
     *
     * @param patient whether the taking would wait
     * @return whether it is in
     */
    <X extends Exception> boolean enter(String key, boolean shared, boolean patient, Taking<X> taking) throws X {
        Place place = here(key);
        Hold hold = held.get(place);
        if (hold == null || hold.isForsaken()) {
            Optional<Hold> taken = taking.take().map(Hold::new);
            taken.ifPresent(fresh -> {
                fresh.enter(shared);
                held.put(place, fresh);
            });
            return taken.isPresent();
        }
        hold.requireValid();
        if (!hold.covers(shared)) {
            // The cluster would say the same of one who waits, unless there was too much to look at.
            if (patient) {
                throw new DeadlockException(
                        "this thread holds the read lock of " + key + " and would wait for itself: unlock that first,"
                                + " or take the write lock before the read lock",
                        List.of("this thread holds " + key));
            }
            return false;
        }
        hold.enter(shared);
        return true;
    }

    /** Lets the calling thread out once; by the last time it gives back what it had. */
    void leave(String key, boolean shared) {
        Place place = here(key);
        Hold hold = held.get(place);
        if (hold == null || hold.count(shared) == 0) {
            throw notHeld(key);
        }
        if (hold.leave(shared)) {
            held.remove(place);
        }
        hold.giveBack();
    }

    /** What the calling thread has, lost or not. */
    Optional<Hold> mine(String key, boolean shared) {
        return Optional.ofNullable(held.get(here(key))).filter(hold -> hold.count(shared) > 0);
    }

    int size() {
        return held.size();
    }

    static IllegalMonitorStateException notHeld(String key) {
        return new IllegalMonitorStateException("the lock " + key + " is not held by this thread, "
                + Thread.currentThread().getName() + ", or not in this mode");
    }

    private static Place here(String key) {
        return new Place(Thread.currentThread(), key);
    }
}
