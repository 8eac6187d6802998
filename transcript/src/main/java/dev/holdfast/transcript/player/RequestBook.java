package dev.holdfast.transcript.player;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Numbers the requests of one lease as a client does, and knows which it has the answers of. */
final class RequestBook {
    private long next = 1;
    private final TreeSet<Long> unanswered = new TreeSet<>();

    /** Unanswered because the answer was lost: only sending it again brings one. */
    private final Set<Long> lost = new HashSet<>();

    private final Map<LockKey, Long> latestByKey = new HashMap<>();

    long nextNumber() {
        return next;
    }

    /** Every answer below this has arrived. */
    long acknowledgedBelow() {
        return unanswered.isEmpty() ? next : unanswered.first();
    }

    void sent(long number, Iterable<LockKey> keys, boolean answerLost) {
        if (number < 1) {
            return;
        }
        next = Math.max(next, number + 1);
        unanswered.add(number);
        keys.forEach(key -> latestByKey.put(key, number));
        if (answerLost) {
            lost.add(number);
        } else {
            lost.remove(number);
        }
    }

    void answered(long number, Result result) {
        // Of a full window the client is to send the same request again.
        switch (result.kind()) {
            case QUEUED -> {}
            case REFUSED -> {
                if (((Result.Refused) result).code() != Refusal.WINDOW_FULL) {
                    settle(number);
                }
            }
            case LEASE_GRANTED,
                    LEASE_REVOKED,
                    GRANTED,
                    RELEASED,
                    ALREADY_RELEASED,
                    DOWNGRADED,
                    DESCRIBED,
                    CANCELLED,
                    ENDED,
                    CHANGED -> settle(number);
        }
    }

    /** A cancelled request needs no answer of its own any more. */
    void cancelled(long number) {
        next = Math.max(next, number + 1);
        lost.remove(number);
        unanswered.remove(number);
    }

    void learn(Event event) {
        switch (event.kind()) {
            case GRANTED -> settle(((Event.Granted) event).party().seq());
            case LEFT -> settle(((Event.Left) event).party().seq());
            case MODE_CHANGED -> settle(((Event.ModeChanged) event).seq());
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, RELEASED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    OptionalLong latestFor(LockKey key) {
        Long number = latestByKey.get(key);
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    private void settle(long number) {
        if (!lost.contains(number)) {
            unanswered.remove(number);
        }
    }
}
