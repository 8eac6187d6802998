package dev.holdfast.server.watch;

import dev.holdfast.core.Hold;
import dev.holdfast.core.event.Event;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches of one caller that want the same, and the events that wait for them: kept once, however many they are.
 *
 * <p>The events are a chain of places, in which each watch stands at the next one it is to read. What all have read is
 * forgotten at once. What is dropped because too much waits takes those who stood there out of the chain.
 *
 * <p>Guarded by the monitor of its {@link CallerWatches}.
 */
final class WatchGroup {
    /** About what an event takes beside its texts. */
    private static final int EVENT_BYTES = 256;

    private static final int HOLD_BYTES = 64;

    final CallerWatches caller;
    final Interest interest;
    private final Set<WatchFeed> members = new LinkedHashSet<>();

    /** Members that have read all there is. */
    private final Set<WatchFeed> idle = new LinkedHashSet<>();

    private Place head = new Place();
    private Place tail = head;
    private int waiting;
    private long bytes;

    /** Where an event is, or will be. */
    static final class Place {
        /** Null where none has come yet, and once dropped. */
        private @Nullable Event event;

        private @Nullable Place next;
        private long revision;
        private int bytes;
        private int standing;
        private boolean dropped;

        boolean isDropped() {
            return dropped;
        }

        long revision() {
            return revision;
        }

        int bytes() {
            return bytes;
        }

        /** The event here; null at the end of the chain. */
        @Nullable
        Event event() {
            return event;
        }

        /** What comes after this event. */
        Place next() {
            if (next == null) {
                throw new IllegalStateException("no event has come here");
            }
            return next;
        }
    }

    WatchGroup(CallerWatches caller, Interest interest) {
        this.caller = caller;
        this.interest = interest;
    }

    void join(WatchFeed feed) {
        members.add(feed);
        idle.add(feed);
        tail.standing++;
        feed.group = this;
        feed.place = tail;
    }

    void leave(WatchFeed feed) {
        if (members.remove(feed)) {
            idle.remove(feed);
            moved(feed, null);
        }
    }

    boolean isEmpty() {
        return members.isEmpty();
    }

    /** Adds an event of so many bytes, and tells those who wait for one: so many. */
    int push(Event event, int size) {
        tail.event = event;
        tail.revision = event.revision();
        tail.bytes = size;
        tail.next = new Place();
        waiting++;
        grow(tail.bytes);
        tail = tail.next;
        trim();
        return tellIdle();
    }

    /**
     * Events were lost here: members go on in the history, if that reaches back far enough.
     *
     * @param next what is below was pushed
     */
    void end(long next) {
        var unused = tellIdle();
        for (WatchFeed feed : List.copyOf(members)) {
            Place place = feed.place;
            if (place != null && !place.dropped) {
                if (feed.nextRevision >= feed.liveFrom) {
                    feed.nextRevision = Math.max(feed.nextRevision, place.event == null ? next : place.revision);
                }
                leave(feed);
                feed.group = null;
                feed.state = WatchFeed.State.CATCHING_UP;
            }
        }
    }

    int waiting() {
        return waiting;
    }

    long bytes() {
        return bytes;
    }

    /**
     * Drops the older half of what waits.
     *
     * @return how many events
     */
    int dropHalf() {
        int before = waiting;
        long half = bytes / 2;
        while (bytes > half) {
            dropOldest();
        }
        return before - waiting;
    }

    /** Drops the oldest event; whoever did not read it is too slow. */
    void dropOldest() {
        if (head != tail) {
            head.dropped = true;
            forgetHead();
            trim();
        }
    }

    /** A member has read up to here. */
    void moved(WatchFeed feed, @Nullable Place to) {
        Place from = feed.place;
        if (from != null && !from.dropped) {
            from.standing--;
        }
        if (to != null) {
            to.standing++;
        }
        feed.place = to;
        trim();
    }

    /** A member has read all there is, or not. */
    void idle(WatchFeed feed, boolean is) {
        if (is) {
            idle.add(feed);
        } else {
            idle.remove(feed);
        }
    }

    private int tellIdle() {
        int told = idle.size();
        idle.forEach(feed -> feed.reader.announce(feed));
        idle.clear();
        return told;
    }

    private void trim() {
        while (head != tail && head.standing == 0) {
            forgetHead();
        }
    }

    private void forgetHead() {
        Place next = head.next();
        if (head.dropped) {
            // Who stands there never reads on: it must not keep all that comes after.
            head.next = null;
        }
        head.event = null;
        waiting--;
        grow(-head.bytes);
        head = next;
    }

    private void grow(int by) {
        bytes += by;
        caller.grow(by);
    }

    /** About how many bytes an event takes. */
    static int bytes(Event event) {
        int sum = EVENT_BYTES;
        if (event instanceof Event.OfLocks ofLocks) {
            for (Hold hold : ofLocks.holds()) {
                sum += HOLD_BYTES + hold.key().length();
            }
        }
        if (event instanceof Event.Granted granted) {
            sum += granted.purpose().length() + granted.metadata().length();
        }
        return event.kind() == Event.Kind.DESCRIBED
                ? sum + ((Event.Described) event).metadata().length()
                : sum;
    }
}
