package dev.holdfast.simulator.promise;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.event.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A key's tokens only ever grow. */
public final class TokenOrder implements Promise {
    private final Findings findings;
    private final Map<String, Long> highest = new HashMap<>();

    public TokenOrder(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case GRANTED -> {
                Event.Granted granted = (Event.Granted) event;
                check(granted.token(), granted.holds());
            }
            case MODE_CHANGED -> {
                Event.ModeChanged changed = (Event.ModeChanged) event;
                if (!changed.token().equals(changed.previousToken())) {
                    check(changed.token(), changed.holds());
                }
            }
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, RELEASED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    /** The highest token that anybody has seen, of whatever key. */
    public long highest() {
        return highest.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private void check(FencingToken token, List<Hold> holds) {
        for (String key :
                holds.stream().map(hold -> hold.key().toString()).distinct().toList()) {
            Long before = highest.put(key, token.value());
            if (before != null && before >= token.value()) {
                findings.report("token order", key + " got " + token + " after " + before);
            }
        }
    }
}
