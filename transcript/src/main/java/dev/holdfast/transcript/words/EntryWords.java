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
            return switch (event.kind()) {
                case DELAY_ENDED -> command instanceof Command.ForceRelease;
                case RELEASED -> ((Event.Released) event).token().equals(result.token());
                case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, GRANTED, MODE_CHANGED, DESCRIBED ->
                    false;
            };
        }

        @Override
        public Boolean leaseGranted(Result.LeaseGranted result) {
            return switch (event.kind()) {
                case LEASE_STARTED, LEASE_EXTENDED -> isOfCaller();
                case LEASE_ENDED, QUEUED, LEFT, GRANTED, RELEASED, MODE_CHANGED, DESCRIBED, DELAY_ENDED -> false;
            };
        }

        @Override
        public Boolean leaseRevoked(Result.LeaseRevoked result) {
            return isOfCaller() && event instanceof Event.LeaseEnded;
        }

        @Override
        public Boolean cancelled(Result.Cancelled result) {
            return switch (event.kind()) {
                case LEFT -> isOfCaller() && ((Event.Left) event).reason() == EndReason.CANCELLED;
                case RELEASED -> isOfCaller() && ((Event.Released) event).reason() == EndReason.CANCELLED;
                case LEASE_STARTED,
                        LEASE_EXTENDED,
                        LEASE_ENDED,
                        QUEUED,
                        GRANTED,
                        MODE_CHANGED,
                        DESCRIBED,
                        DELAY_ENDED -> false;
            };
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
            return switch (event.kind()) {
                case GRANTED -> ((Event.Granted) event).token();
                case MODE_CHANGED -> ((Event.ModeChanged) event).token();
                case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, RELEASED, DESCRIBED, DELAY_ENDED -> null;
            };
        }

        private boolean isOfCaller() {
            return command instanceof Command.OfLease ofLease && ofLease.lease().equals(event.lease());
        }
    }
}
