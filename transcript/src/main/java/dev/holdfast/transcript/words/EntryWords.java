package dev.holdfast.transcript.words;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one command of an entry caused, each fact once: an answer that an event tells is not told again. */
public final class EntryWords {
    private EntryWords() {}

    /** Events alone: what time brought. */
    public static List<String> of(List<Event> events) {
        return events.stream().map(EventWords::of).toList();
    }

    /**
     * A command, its answer, and all that happened up to and including it.
     *
     * @param name who is answered
     * @param view as it was right after the command
     */
    public static List<String> of(String name, Command command, Result result, List<Event> events, MachineView view) {
        List<String> lines = new ArrayList<>(events.size() + 1);
        @Nullable Event telling = tellingOf(command, result, events);
        for (Event event : events) {
            boolean joins = event == telling && event instanceof Event.Queued;
            lines.add(
                    joins && result instanceof Result.Queued queued && command instanceof Command.OfLease ofLease
                            ? ResultWords.queued((Event.Queued) event, queued, ofLease, view)
                            : EventWords.of(event));
        }
        // A command that no event tells of changed nothing, so whatever happened came before it.
        if (telling == null) {
            lines.add(ResultWords.of(name, command, result, view));
        }
        return lines;
    }

    private static @Nullable Event tellingOf(Command command, Result result, List<Event> events) {
        for (Event event : events) {
            if (tells(event, command, result)) {
                return event;
            }
        }
        return null;
    }

    private static boolean tells(Event event, Command command, Result result) {
        if (result instanceof Result.Granted granted) {
            return granted.token().equals(tokenGivenBy(event));
        } else if (result instanceof Result.Downgraded downgraded) {
            return downgraded.token().equals(tokenGivenBy(event));
        } else if (result instanceof Result.Described described) {
            return event instanceof Event.Described now && now.token().equals(described.token());
        } else if (result instanceof Result.Queued queued) {
            return event instanceof Event.Queued && event.revision() == queued.revision();
        } else if (result instanceof Result.Released released) {
            boolean opened = event instanceof Event.DelayEnded && command instanceof Command.ForceRelease;
            boolean ended = event instanceof Event.Released now && now.token().equals(released.token());
            return opened || ended;
        } else if (command instanceof Command.OfLease ofLease && ofLease.lease().equals(leaseOf(event))) {
            return tellsOfLease(event, result);
        }
        return false;
    }

    /** Whether an event of the caller's lease tells the answer. */
    private static boolean tellsOfLease(Event event, Result result) {
        if (result instanceof Result.LeaseGranted) {
            return event instanceof Event.LeaseStarted || event instanceof Event.LeaseExtended;
        } else if (result instanceof Result.LeaseRevoked) {
            return event instanceof Event.LeaseEnded;
        } else if (result instanceof Result.Cancelled) {
            boolean left = event instanceof Event.Left waited && waited.reason() == EndReason.CANCELLED;
            boolean released = event instanceof Event.Released held && held.reason() == EndReason.CANCELLED;
            return left || released;
        }
        return false;
    }

    private static @Nullable FencingToken tokenGivenBy(Event event) {
        if (event instanceof Event.Granted granted) {
            return granted.token();
        }
        return event instanceof Event.ModeChanged changed ? changed.token() : null;
    }

    private static @Nullable LeaseId leaseOf(Event event) {
        if (event instanceof Event.OfLocks ofLocks) {
            return ofLocks.party().lease();
        } else if (event instanceof Event.LeaseStarted started) {
            return started.lease();
        } else if (event instanceof Event.LeaseExtended extended) {
            return extended.lease();
        }
        return event instanceof Event.LeaseEnded ended ? ended.lease() : null;
    }
}
