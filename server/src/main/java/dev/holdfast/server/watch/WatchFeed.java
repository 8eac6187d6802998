package dev.holdfast.server.watch;

import dev.holdfast.core.event.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * One watch: the events that are on their way to its client.
 *
 * <pre>
 * CATCHING_UP --all of the history handed out--> LIVE --buffer full--> CLOSED (slow)
 *      ^                                          |
 *      +---------a snapshot replaced the state----+
 * any --the wanted revision is gone--> CLOSED (compacted);  any --its client leaves--> CLOSED
 * </pre>
 *
 * While it catches up, events wait in the machine's history and its reader pulls them; once live, they are pushed
 * into a bounded buffer. A reader that does not keep up loses its watch, and learns where to resume.
 */
public final class WatchFeed {
    private final WatchSpec spec;
    private final int capacity;
    private final Runnable readable;
    private final ArrayDeque<Event> buffer = new ArrayDeque<>();
    private State state = State.CATCHING_UP;

    /** The next revision to look at while catching up; where to resume once closed. */
    private long nextRevision;

    enum State {
        CATCHING_UP,
        LIVE,
        SLOW,
        COMPACTED,
        CLOSED
    }

    /**
     * A feed that has delivered nothing.
     *
     * @param capacity how many events may wait for the reader
     * @param readable told when there is something to {@link WatchHub#read}; by the apply thread, must be quick
     */
    WatchFeed(WatchSpec spec, int capacity, Runnable readable) {
        this.spec = spec;
        this.capacity = capacity;
        this.readable = readable;
        this.nextRevision = spec.startRevision();
    }

    public WatchSpec spec() {
        return spec;
    }

    synchronized State state() {
        return state;
    }

    synchronized void state(State next, long revision) {
        state = next;
        nextRevision = revision;
    }

    synchronized long nextRevision() {
        return nextRevision;
    }

    /** Adds an event of a live watch; false if there was no room, and the watch is over. */
    boolean push(Event event) {
        boolean kept;
        boolean first;
        synchronized (this) {
            first = buffer.isEmpty();
            kept = buffer.size() < capacity;
            if (kept) {
                buffer.add(event);
            } else {
                state = State.SLOW;
                nextRevision = event.revision();
            }
        }
        if (first || !kept) {
            readable.run();
        }
        return kept;
    }

    synchronized List<Event> drain(int most) {
        List<Event> drained = new ArrayList<>(Math.min(most, buffer.size()));
        while (drained.size() < most && !buffer.isEmpty()) {
            drained.add(buffer.remove());
        }
        return drained;
    }

    synchronized boolean isDrained() {
        return buffer.isEmpty();
    }

    void signal() {
        readable.run();
    }
}
