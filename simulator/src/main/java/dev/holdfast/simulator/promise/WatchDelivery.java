package dev.holdfast.simulator.promise;

import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.watch.WatchOptions;
import dev.holdfast.core.Hold;
import dev.holdfast.core.event.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * What one watch saw: every event once, in order, none left out from the moment it had begun until it was closed; or
 * the word that what it asks for is gone.
 */
public final class WatchDelivery {
    private final WatchOptions options;
    private final String who;
    private final Findings findings;
    private final List<Seen> seen = new ArrayList<>();
    private long completeFrom = Long.MAX_VALUE;
    private List<Event> happened = List.of();
    private boolean open = true;

    private record Seen(long revision, String key, WatchEvent.Kind kind) {}

    public WatchDelivery(String who, WatchOptions options, Findings findings) {
        this.who = who;
        this.options = options;
        this.findings = findings;
    }

    /**
     * The cluster has begun.
     *
     * @param all all that happens, as it happens: what comes from now on must be told
     */
    public void begun(List<Event> all) {
        happened = all;
        long revision = all.isEmpty() ? 0 : all.get(all.size() - 1).revision();
        completeFrom = options.from() > 0 ? options.from() : revision + 1;
    }

    public void told(WatchEvent event) {
        Seen told = new Seen(event.revision(), event.key(), event.kind());
        if (!seen.isEmpty() && seen.get(seen.size() - 1).revision() > told.revision()) {
            findings.report("watch", who + " was told of " + told + " after " + seen.get(seen.size() - 1));
        }
        seen.add(told);
    }

    /** No more is expected. */
    public void closed() {
        open = false;
    }

    /** Compares what was seen with all that happened. */
    public void check() {
        if (completeFrom == Long.MAX_VALUE) {
            return;
        }
        long first = seen.isEmpty()
                ? completeFrom
                : Math.min(completeFrom, seen.get(0).revision());
        long last = open
                ? Long.MAX_VALUE
                : seen.isEmpty() ? 0 : seen.get(seen.size() - 1).revision();
        List<Seen> expected = new ArrayList<>();
        for (Event event : happened) {
            if (event.revision() >= first && event.revision() <= last && event instanceof Event.OfLocks ofLocks) {
                add(ofLocks, expected);
            }
        }
        // A closed watch may have been in the middle of what one event said of several keys.
        boolean same = open
                ? expected.equals(seen)
                : seen.size() <= expected.size()
                        && expected.subList(0, seen.size()).equals(seen);
        if (!same) {
            findings.report("watch", who + " saw " + difference(expected));
        }
    }

    private String difference(List<Seen> expected) {
        int same = 0;
        while (same < seen.size() && same < expected.size() && seen.get(same).equals(expected.get(same))) {
            same++;
        }
        return (same < seen.size() ? seen.get(same) : "nothing more") + " where "
                + (same < expected.size() ? expected.get(same) : "nothing") + " was to come, as number " + same + " of "
                + expected.size() + ", by " + options;
    }

    private void add(Event.OfLocks event, List<Seen> expected) {
        WatchEvent.Kind kind = kind(event);
        boolean aside =
                kind == WatchEvent.Kind.QUEUED || kind == WatchEvent.Kind.LEFT || kind == WatchEvent.Kind.DELAY_ENDED;
        if (aside && !options.allEvents()) {
            return;
        }
        for (Hold hold : event.holds()) {
            String key = hold.key().toString();
            if (options.prefix() ? key.startsWith(options.key()) : key.equals(options.key())) {
                expected.add(new Seen(event.revision(), key, kind));
            }
        }
    }

    private static WatchEvent.Kind kind(Event.OfLocks event) {
        return switch (event.kind()) {
            case GRANTED -> WatchEvent.Kind.GRANTED;
            case RELEASED -> WatchEvent.Kind.ENDED;
            case MODE_CHANGED -> WatchEvent.Kind.MODE_CHANGED;
            case DESCRIBED -> WatchEvent.Kind.DESCRIBED;
            case QUEUED -> WatchEvent.Kind.QUEUED;
            case LEFT -> WatchEvent.Kind.LEFT;
            case DELAY_ENDED -> WatchEvent.Kind.DELAY_ENDED;
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED ->
                throw new IllegalArgumentException("not of locks: " + event);
        };
    }
}
