package dev.holdfast.transcript.words;

import dev.holdfast.core.FencingToken;
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
                    joins && result instanceof Result.Queued queued
                            ? ResultWords.joined((Event.Queued) event, queued, command, view)
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
            if (result.match(new Telling(event, command))) {
                return event;
            }
        }
        return null;
    }

    /** Whether an event tells the answer to a command. */
    private record Telling(Event event, Command command) implements Result.Cases<Boolean> {
        @Override
        public Boolean granted(Result.Granted result) {
            return result.token().equals(tokenGiven());
        }

        @Override
        public Boolean downgraded(Result.Downgraded result) {
            return result.token().equals(tokenGiven());
        }

        @Override
        public Boolean described(Result.Described result) {
            return event instanceof Event.Described now && now.token().equals(result.token());
        }

        @Override
        public Boolean queued(Result.Queued result) {
            return event instanceof Event.Queued && event.revision() == result.revision();
        }

        @Override
        public Boolean released(Result.Released result) {
            boolean opened = event instanceof Event.DelayEnded && command instanceof Command.ForceRelease;
            boolean ended = event instanceof Event.Released now && now.token().equals(result.token());
            return opened || ended;
        }

        @Override
        public Boolean leaseGranted(Result.LeaseGranted result) {
            return isOfCaller() && (event instanceof Event.LeaseStarted || event instanceof Event.LeaseExtended);
        }

        @Override
        public Boolean leaseRevoked(Result.LeaseRevoked result) {
            return isOfCaller() && event instanceof Event.LeaseEnded;
        }

        @Override
        public Boolean cancelled(Result.Cancelled result) {
            boolean left = event instanceof Event.Left waited && waited.reason() == EndReason.CANCELLED;
            boolean released = event instanceof Event.Released held && held.reason() == EndReason.CANCELLED;
            return isOfCaller() && (left || released);
        }

        @Override
        public Boolean alreadyReleased(Result.AlreadyReleased result) {
            return false;
        }

        @Override
        public Boolean ended(Result.Ended result) {
            return false;
        }

        @Override
        public Boolean changed(Result.Changed result) {
            return false;
        }

        @Override
        public Boolean refused(Result.Refused result) {
            return false;
        }

        private @Nullable FencingToken tokenGiven() {
            if (event instanceof Event.Granted granted) {
                return granted.token();
            }
            return event instanceof Event.ModeChanged changed ? changed.token() : null;
        }

        private boolean isOfCaller() {
            return command instanceof Command.OfLease ofLease && ofLease.lease().equals(event.lease());
        }
    }
}
