package dev.holdfast.simulator.promise;

import dev.holdfast.core.Hold;
import dev.holdfast.core.event.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** In the order of the log, no two grants overlap that exclude each other; and what ends had begun. */
public final class Exclusion implements Promise {
    private final Findings findings;
    private final Map<Long, List<Hold>> held = new LinkedHashMap<>();

    public Exclusion(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case GRANTED -> {
                Event.Granted granted = (Event.Granted) event;
                admit(granted.token().value(), granted.holds());
            }
            case MODE_CHANGED -> {
                Event.ModeChanged changed = (Event.ModeChanged) event;
                end(changed.previousToken().value(), event);
                admit(changed.token().value(), changed.holds());
            }
            case RELEASED -> end(((Event.Released) event).token().value(), event);
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    @Override
    public void restored() {
        held.clear();
    }

    private void admit(long token, List<Hold> holds) {
        held.forEach((other, theirs) -> {
            if (Conflicts.any(holds, theirs)) {
                findings.report(
                        "exclusion", "grant " + token + " of " + holds + " while " + other + " holds " + theirs);
            }
        });
        if (held.put(token, holds) != null) {
            findings.report("exclusion", "two grants have the token " + token);
        }
    }

    private void end(long token, Event event) {
        if (held.remove(token) == null) {
            findings.report("exclusion", "the grant " + token + " ended without having begun: " + event);
        }
    }

    /** How many grants there are now. */
    public int held() {
        return held.size();
    }
}
