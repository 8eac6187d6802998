package dev.holdfast.core.event;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest events, for watches that resume and for the history of a key.
 *
 * <p>Every revision has exactly one event, so the ring is addressed by revision and nothing is searched. It keeps so many
 * events at the most, and so many bytes of them: what no longer fits falls out at the old end.
 */
public final class History {
    private static final int SMALLEST = 64;

    private @Nullable Event[] ring = new @Nullable Event[SMALLEST];
    private long limit;
    private long byteLimit;
    private long bytes;

    /** The oldest revision that is kept, and the next to come. */
    private long floor = 1;

    private long next = 1;

    public History(long limit, long byteLimit) {
        this.limit = limit;
        this.byteLimit = byteLimit;
    }

    /** The oldest revision whose event is kept; one above the newest if none is. */
    public long floor() {
        return floor;
    }

    public int size() {
        return (int) (next - floor);
    }

    public Event get(long revision) {
        Event event = revision >= floor && revision < next ? ring[slot(revision)] : null;
        if (event == null) {
            throw new IndexOutOfBoundsException("revision " + revision + " is not in " + floor + " to " + (next - 1));
        }
        return event;
    }

    public void add(Event event) {
        if (event.revision() != next) {
            throw new IllegalStateException("event " + event.revision() + " where " + next + " was due");
        }
        if (size() == limit) {
            forgetOldest();
        } else if (size() == ring.length) {
            resize(ring.length * 2);
        }
        ring[slot(next++)] = event;
        bytes += event.bytes();
        forgetWhatIsTooMuch();
    }

    public void setLimits(long events, long eventBytes) {
        limit = events;
        byteLimit = eventBytes;
        forgetWhatIsTooMuch();
    }

    /** Forgets everything up to and including a revision, which is the newest there has been. */
    public void restartAfter(long revision) {
        ring = new @Nullable Event[SMALLEST];
        floor = revision + 1;
        next = floor;
        bytes = 0;
    }

    /** All events that are kept, oldest first: a copy, which a snapshot can write while the machine keeps working. */
    @SuppressWarnings("NullAway") // between floor and next the ring has no holes
    public List<Event> toList() {
        Event[] events = new Event[size()];
        int untilWrap = Math.min(events.length, ring.length - slot(floor));
        System.arraycopy(ring, slot(floor), events, 0, untilWrap);
        System.arraycopy(ring, 0, events, untilWrap, events.length - untilWrap);
        return Arrays.asList(events);
    }

    private void forgetWhatIsTooMuch() {
        while (size() > limit || bytes > byteLimit) {
            forgetOldest();
        }
    }

    private void forgetOldest() {
        bytes -= get(floor).bytes();
        ring[slot(floor++)] = null;
    }

    private int slot(long revision) {
        return (int) revision & (ring.length - 1);
    }

    private void resize(int capacity) {
        List<Event> events = toList();
        ring = new @Nullable Event[capacity];
        for (Event event : events) {
            ring[slot(event.revision())] = event;
        }
    }
}
