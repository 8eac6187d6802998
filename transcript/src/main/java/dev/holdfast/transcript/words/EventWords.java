package dev.holdfast.transcript.words;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;

/** What happened, in one sentence each. */
public final class EventWords implements Event.Cases<String> {
    private static final EventWords WORDS = new EventWords();

    private EventWords() {}

    public static String of(Event event) {
        return event.match(WORDS);
    }

    @Override
    public String leaseStarted(Event.LeaseStarted event) {
        return event.clientId() + "'s lease is open";
    }

    @Override
    public String leaseExtended(Event.LeaseExtended event) {
        return event.clientId() + "'s lease is extended to " + Phrases.duration(event.ttlMillis()) + " in all, "
                + Phrases.duration(event.endMillis() - event.at()) + " left";
    }

    @Override
    public String leaseEnded(Event.LeaseEnded event) {
        return event.clientId() + leaseEnd(event.reason());
    }

    @Override
    public String granted(Event.Granted event) {
        String end = event.holdEndMillis() == 0
                ? ""
                : ", for at most " + Phrases.duration(event.holdEndMillis() - event.at());
        return name(event) + " holds " + things(event) + token(event.token()) + end;
    }

    @Override
    public String queued(Event.Queued event) {
        return name(event) + " waits for " + things(event);
    }

    @Override
    public String left(Event.Left event) {
        return name(event) + " no longer waits for " + things(event) + ": " + reason(event.reason(), "");
    }

    @Override
    public String released(Event.Released event) {
        return event.reason() == EndReason.RELEASED
                ? name(event) + " released " + things(event)
                : name(event) + " no longer holds " + things(event) + ": " + reason(event.reason(), event.detail());
    }

    @Override
    public String modeChanged(Event.ModeChanged event) {
        String now = name(event) + " holds " + things(event) + " now" + token(event.token());
        return event.token().equals(event.previousToken())
                ? now + " as before"
                : now + " instead of " + Phrases.token(event.previousToken().value());
    }

    @Override
    public String described(Event.Described event) {
        return name(event) + " describes " + things(event) + token(event.token()) + " as before, "
                + (event.metadata().length() == 0 ? "no metadata" : "metadata \"" + event.metadata() + '"');
    }

    @Override
    public String delayEnded(Event.DelayEnded event) {
        return things(event) + (event.holds().size() == 1 ? " is" : " are") + " open again after " + name(event)
                + " was lost";
    }

    private static String name(Event.OfLocks event) {
        return event.party().clientId();
    }

    private static String things(Event.OfLocks event) {
        return Phrases.things(event.holds());
    }

    private static String token(FencingToken token) {
        return ", token " + Phrases.token(token.value());
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
