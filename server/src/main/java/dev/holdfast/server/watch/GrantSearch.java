package dev.holdfast.server.watch;

import dev.holdfast.core.Budget;
import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.Event;
import dev.holdfast.server.watch.PreviousValues.Before;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what a grant was before one event: how it was described last, and back through its upgrades the event by
 * which it came to be.
 */
final class GrantSearch {
    private final Event.OfLocks event;
    private final FencingToken token;

    /** What it held under that token at first. */
    private @Nullable List<Hold> given;

    private @Nullable Metadata described;
    private Event.@Nullable Granted grant;

    private GrantSearch(Event.OfLocks event, FencingToken token) {
        this.event = event;
        this.token = token;
    }

    /**
     * Searches for all events at once, which are in order; those whose search came to no end have found nothing.
     *
     * @param past gives some events below a revision, the newest first; none if they are not known
     */
    static List<GrantSearch> walk(List<Event> events, LongFunction<List<Event>> past, Budget budget) {
        List<GrantSearch> all = new ArrayList<>();
        for (Event event : events) {
            FencingToken token = tokenBefore(event);
            if (token != null && event instanceof Event.OfLocks ofLocks) {
                all.add(new GrantSearch(ofLocks, token));
            }
        }
        new Walk(new ArrayDeque<>(all)).go(past, budget);
        return all;
    }

    /** Under which token something was held before; null if nothing was. */
    private static @Nullable FencingToken tokenBefore(Event event) {
        return switch (event.kind()) {
            case MODE_CHANGED -> ((Event.ModeChanged) event).previousToken();
            case DESCRIBED -> ((Event.Described) event).token();
            case RELEASED -> ((Event.Released) event).token();
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, GRANTED, DELAY_ENDED -> null;
        };
    }

    long revision() {
        return event.revision();
    }

    Optional<Before> found() {
        if (grant == null || given == null) {
            return Optional.empty();
        }
        return Optional.of(new Before(
                token, modesBefore(given), grant.purpose(), described == null ? grant.metadata() : described));
    }

    /**
     * A downgrade follows a grant or an upgrade, so what that gave is what was. An upgrade follows a grant with
     * something shared in it, or a downgrade, which left everything shared. What is described or ends keeps its modes.
     */
    private @Nullable Map<LockKey, Mode> modesBefore(List<Hold> first) {
        if (event.kind() != Event.Kind.MODE_CHANGED) {
            return null;
        }
        boolean upgraded = ((Event.ModeChanged) event).seq() != 0;
        boolean allShared = upgraded && first.stream().noneMatch(hold -> hold.mode() == Mode.SHARED);
        Map<LockKey, Mode> modes = new HashMap<>();
        for (Hold hold : first) {
            modes.put(hold.key(), allShared ? Mode.SHARED : hold.mode());
        }
        return modes;
    }

    /** The walk itself, from the newest event back. */
    private static final class Walk {
        /** Those whose events the walk has not come to yet; the newest last. */
        private final ArrayDeque<GrantSearch> ahead;

        /** The others, by the token that they look for now. */
        private final Map<FencingToken, List<GrantSearch>> byToken = new HashMap<>();

        Walk(ArrayDeque<GrantSearch> all) {
            this.ahead = all;
        }

        void go(LongFunction<List<Event>> past, Budget budget) {
            long below = Long.MAX_VALUE;
            while (!ahead.isEmpty() || !byToken.isEmpty()) {
                if (byToken.isEmpty()) {
                    below = Math.min(below, ahead.getLast().revision());
                }
                List<Event> piece = past.apply(below);
                if (piece.isEmpty()) {
                    return; // forgotten
                }
                for (Event event : piece) {
                    below = event.revision();
                    comeTo(below);
                    look(event);
                    if (!budget.visit()) {
                        return;
                    }
                    if (byToken.isEmpty()) {
                        break;
                    }
                }
            }
        }

        private void comeTo(long revision) {
            while (!ahead.isEmpty() && ahead.getLast().revision() > revision) {
                GrantSearch search = ahead.removeLast();
                byToken.computeIfAbsent(search.token, token -> new ArrayList<>(1))
                        .add(search);
            }
        }

        private void look(Event event) {
            switch (event.kind()) {
                case GRANTED -> {
                    Event.Granted granted = (Event.Granted) event;
                    begun(granted, granted.token()).forEach(search -> search.grant = granted);
                }
                case MODE_CHANGED -> {
                    Event.ModeChanged changed = (Event.ModeChanged) event;
                    // A downgrade keeps the token, and so has not begun with it.
                    if (!changed.token().equals(changed.previousToken())) {
                        begun(changed, changed.token())
                                .forEach(search -> byToken.computeIfAbsent(
                                                changed.previousToken(), token -> new ArrayList<>(1))
                                        .add(search));
                    }
                }
                case DESCRIBED -> {
                    Event.Described described = (Event.Described) event;
                    for (GrantSearch search : byToken.getOrDefault(described.token(), List.of())) {
                        if (search.described == null) {
                            search.described = described.metadata();
                        }
                    }
                }
                case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, RELEASED, DELAY_ENDED -> {}
            }
        }

        /** Those who look for a token, which began with this event. */
        private List<GrantSearch> begun(Event.OfLocks event, FencingToken token) {
            List<GrantSearch> searches = byToken.remove(token);
            if (searches == null) {
                return List.of();
            }
            for (GrantSearch search : searches) {
                if (search.given == null) {
                    search.given = event.holds();
                }
            }
            return searches;
        }
    }
}
