package dev.holdfast.server.watch;

import dev.holdfast.core.event.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * All watches of one caller on this node: what they want, what waits for them, and whose turn it is to be told.
 *
 * <p>Its monitor guards its groups, feeds and announcements. The hub's loop alone uses {@link #turns} and {@link #steps}.
 */
final class CallerWatches {
    /** Unless a single event is larger. */
    private static final int MAX_READ_BYTES = 256 * 1024;

    private static final int DROPPED_PART = 4;

    private final WatchBounds bounds;
    private final AtomicLong nodeBytes;
    private final Map<Interest, WatchGroup> groups = new LinkedHashMap<>();
    private long bytes;
    final CallerTurns turns;

    /** How many watches it has. */
    final AtomicInteger open = new AtomicInteger();

    /** What was done for it since it was charged last; of the hub's loop. */
    int steps;

    /** Whether there will be a look whether it can be forgotten; of the hub's loop. */
    boolean forgetting;

    /** How many streams it has; guarded by the map of callers. */
    int streams;

    CallerWatches(WatchBounds bounds, AtomicLong nodeBytes) {
        this.bounds = bounds;
        this.nodeBytes = nodeBytes;
        this.turns = new CallerTurns(bounds.percentPerCaller());
    }

    /** The group of those who want this; null if there is none. */
    synchronized @Nullable WatchGroup group(Interest interest) {
        return groups.get(interest);
    }

    synchronized List<WatchGroup> groups() {
        return List.copyOf(groups.values());
    }

    synchronized void add(WatchGroup group) {
        groups.put(group.interest, group);
    }

    synchronized void remove(WatchGroup group) {
        groups.remove(group.interest, group);
    }

    /**
     * Adds an event of so many bytes for a group, and drops what is too much.
     *
     * @return how many steps that took
     */
    synchronized int push(WatchGroup group, Event event, int size) {
        int told = group.push(event, size);
        while (group.waiting() > bounds.events() || group.bytes() > bounds.bytes()) {
            group.dropOldest();
        }
        return 1 + told + (bytes > bounds.callerBytes() ? drop() : 0);
    }

    /**
     * Drops a quarter of what waits: again and again the older half of it in the group for which most waits. Groups are
     * looked through once for that much, not for each event that is too much.
     *
     * @return how many steps that took
     */
    synchronized int drop() {
        long most = bytes - bytes / DROPPED_PART;
        PriorityQueue<WatchGroup> largest = new PriorityQueue<>(
                Math.max(1, groups.size()), (one, other) -> Long.compare(other.bytes(), one.bytes()));
        largest.addAll(groups.values());
        int steps = largest.size();
        for (WatchGroup group = largest.poll();
                group != null && group.bytes() > 0 && bytes > most;
                group = largest.poll()) {
            steps += group.dropHalf();
            largest.add(group);
        }
        return steps;
    }

    /**
     * The next events of a watch that has nothing to look up in the history. Under the monitor.
     *
     * @param reached what is below was pushed
     */
    WatchRead read(WatchFeed feed, int most, long reached) {
        WatchGroup group = feed.group;
        WatchGroup.Place place = feed.place;
        if (group == null || place == null) {
            return new WatchRead.Events(List.of(), feed.nextRevision, false);
        }
        if (place.isDropped()) {
            return new WatchRead.Slow(Math.max(place.revision(), feed.nextRevision));
        }
        List<Event> events = new ArrayList<>();
        int taken = 0;
        Event event = place.event();
        while (event != null && events.size() < most && taken < MAX_READ_BYTES) {
            if (event.revision() >= feed.nextRevision) {
                events.add(event);
                taken += place.bytes();
                feed.nextRevision = event.revision() + 1;
            }
            place = place.next();
            event = place.event();
        }
        boolean all = event == null;
        if (all) {
            feed.nextRevision = Math.max(feed.nextRevision, reached);
        }
        group.moved(feed, place);
        group.idle(feed, all);
        return new WatchRead.Events(events, feed.nextRevision, !all);
    }

    synchronized long bytes() {
        return bytes;
    }

    /** More waits, or less. */
    void grow(int by) {
        bytes += by;
        nodeBytes.addAndGet(by);
    }
}
