package dev.holdfast.server.watch;

import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.replica.LockReplica;
import java.util.ArrayList;
import java.util.List;

/** The machine's history, a piece at a time: entries wait only while references are copied. */
final class PastEvents {
    private static final int PIECE = 1_024;

    private final LockReplica replica;

    PastEvents(LockReplica replica) {
        this.replica = replica;
    }

    /**
     * Some events that follow each other.
     *
     * @param epoch which revisions are of
     * @param oldest the oldest revision that is known
     * @param revision the newest that is known
     */
    record Piece(long epoch, long oldest, long revision, List<Event> events) {
        /** The first events here that somebody wants. */
        Found find(Interest interest, int most) {
            List<Event> found = new ArrayList<>();
            long next = events.isEmpty() ? revision + 1 : events.get(0).revision();
            for (Event event : events) {
                if (found.size() == most) {
                    break;
                }
                next = event.revision() + 1;
                if (interest.wants(event)) {
                    found.add(event);
                }
            }
            return new Found(found, next);
        }
    }

    /**
     * Events that somebody wants.
     *
     * @param next what is below was looked at
     */
    record Found(List<Event> events, long next) {}

    /** Events from a revision on, and below another; none if the first is not known. */
    Piece read(long from, long until) {
        return replica.ask(view -> {
            List<Event> events = new ArrayList<>();
            if (from >= view.oldestRevision()) {
                copy(view, from, Math.min(until - 1, Math.min(view.revision(), from + PIECE - 1)), events);
            }
            return new Piece(view.epoch(), view.oldestRevision(), view.revision(), events);
        });
    }

    /** Events below a revision, the newest first; none if they are not known. */
    List<Event> before(long revision) {
        return replica.ask(view -> {
            List<Event> events = new ArrayList<>();
            long first = Math.min(revision - 1, view.revision());
            long last = Math.max(view.oldestRevision(), first - PIECE + 1);
            for (long next = first; next >= last; next--) {
                events.add(view.event(next));
            }
            return events;
        });
    }

    private static void copy(MachineView view, long first, long last, List<Event> events) {
        for (long revision = first; revision <= last; revision++) {
            events.add(view.event(revision));
        }
    }
}
