package dev.holdfast.transcript.player;

import dev.holdfast.core.Hold;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The grants that a client was told of, those that have ended included: it may not know that they have. */
final class Grants {
    private final List<Known> known = new ArrayList<>();

    private record Known(long token, List<Hold> holds, boolean live) {
        boolean names(LockKey key) {
            return holds.stream().anyMatch(hold -> hold.key().equals(key));
        }
    }

    void learn(Event event) {
        switch (event.kind()) {
            case GRANTED -> {
                Event.Granted granted = (Event.Granted) event;
                known.add(new Known(granted.token().value(), granted.holds(), true));
            }
            case RELEASED -> {
                long token = ((Event.Released) event).token().value();
                replace(token, token, false);
            }
            case MODE_CHANGED -> {
                Event.ModeChanged changed = (Event.ModeChanged) event;
                replace(changed.previousToken().value(), changed.token().value(), true);
            }
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    /** The token of the latest grant of the key, if possible one that has not ended. */
    OptionalLong tokenFor(LockKey key) {
        long token = 0;
        boolean live = false;
        for (Known grant : known) {
            if (grant.names(key) && (grant.live || !live)) {
                token = grant.token;
                live = grant.live;
            }
        }
        return token == 0 ? OptionalLong.empty() : OptionalLong.of(token);
    }

    private void replace(long token, long newToken, boolean live) {
        known.replaceAll(grant -> grant.token == token ? new Known(newToken, grant.holds, live) : grant);
    }
}
