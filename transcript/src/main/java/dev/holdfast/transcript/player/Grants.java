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
        if (event instanceof Event.Granted granted) {
            known.add(new Known(granted.token().value(), granted.holds(), true));
        } else if (event instanceof Event.Released released) {
            replace(released.token().value(), released.token().value(), false);
        } else if (event instanceof Event.ModeChanged changed) {
            replace(changed.previousToken().value(), changed.token().value(), true);
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
