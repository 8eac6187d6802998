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
        boolean again = result instanceof Result.Refused refused && refused.code() == Refusal.WINDOW_FULL;
        if (!(result instanceof Result.Queued) && !again) {
            settle(number);
        }
    }

    /** A cancelled request needs no answer of its own any more. */
    void cancelled(long number) {
        next = Math.max(next, number + 1);
        lost.remove(number);
        unanswered.remove(number);
    }

    void learn(Event event) {
        if (event instanceof Event.Granted granted) {
            settle(granted.party().seq());
        } else if (event instanceof Event.Left left) {
            settle(left.party().seq());
        } else if (event instanceof Event.ModeChanged changed) {
            settle(changed.seq());
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
