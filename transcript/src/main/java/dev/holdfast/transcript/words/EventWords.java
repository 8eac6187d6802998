package dev.holdfast.transcript.words;

import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;

/** What happened, in one sentence each. */
public final class EventWords {
    private EventWords() {}

    public static String of(Event event) {
        if (event instanceof Event.OfLocks ofLocks) {
            return ofLocks(ofLocks);
        } else if (event instanceof Event.LeaseStarted started) {
            return started.clientId() + "'s lease is open";
        } else if (event instanceof Event.LeaseExtended extended) {
            return extended.clientId() + "'s lease is extended to " + Phrases.duration(extended.ttlMillis())
                    + " in all, " + Phrases.duration(extended.endMillis() - extended.at()) + " left";
        } else if (event instanceof Event.LeaseEnded ended) {
            return ended.clientId() + leaseEnd(ended.reason());
        }
        throw new IllegalArgumentException("no words for " + event);
    }

    private static String ofLocks(Event.OfLocks event) {
        String name = event.party().clientId();
        String things = Phrases.things(event.holds());
        if (event instanceof Event.Granted granted) {
            String end = granted.holdEndMillis() == 0
                    ? ""
                    : ", for at most " + Phrases.duration(granted.holdEndMillis() - granted.at());
            return name + " holds " + things + ", token "
                    + Phrases.token(granted.token().value()) + end;
        } else if (event instanceof Event.Queued) {
            return name + " waits for " + things;
        } else if (event instanceof Event.Left left) {
            return name + " no longer waits for " + things + ": " + reason(left.reason(), "");
        } else if (event instanceof Event.Released released) {
            return released.reason() == EndReason.RELEASED
                    ? name + " released " + things
                    : name + " no longer holds " + things + ": " + reason(released.reason(), released.detail());
        } else if (event instanceof Event.ModeChanged changed) {
            String token = Phrases.token(changed.token().value());
            return changed.token().equals(changed.previousToken())
                    ? name + " holds " + things + " now, token " + token + " as before"
                    : name + " holds " + things + " now, token " + token + " instead of "
                            + Phrases.token(changed.previousToken().value());
        } else if (event instanceof Event.Described described) {
            return name + " describes " + things + ", token "
                    + Phrases.token(described.token().value()) + " as before, "
                    + (described.metadata().length() == 0 ? "no metadata" : "metadata \"" + described.metadata() + '"');
        } else if (event instanceof Event.DelayEnded) {
            return things + (event.holds().size() == 1 ? " is" : " are") + " open again after " + name + " was lost";
        }
        throw new IllegalArgumentException("no words for " + event);
    }

    private static String leaseEnd(EndReason reason) {
        return switch (reason) {
            case LEASE_EXPIRED -> "'s lease has expired";
            case LEASE_REVOKED -> "'s lease is closed";
            case RESTORED -> "'s lease ended with the restore";
            default -> "'s lease ended: " + reason;
        };
    }

    static String reason(EndReason reason, String detail) {
        return switch (reason) {
            case RELEASED -> "released";
            case CANCELLED -> "cancelled";
            case TIMEOUT -> "waited as long as asked";
            case LEASE_EXPIRED -> "the lease expired";
            case LEASE_REVOKED -> "the lease was closed";
            case MAX_HOLD -> "held as long as allowed";
            case FORCED -> detail.isEmpty() ? "taken by an operator" : "taken by " + detail;
            case RESTORED -> "the state was restored from a backup";
            case GRANT_ENDED -> "the grant to upgrade ended";
        };
    }
}
