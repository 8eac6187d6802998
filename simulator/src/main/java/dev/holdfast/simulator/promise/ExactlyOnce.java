package dev.holdfast.simulator.promise;

import dev.holdfast.core.event.Event;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A request takes effect once, however often it is sent: one place in the queue, one grant. */
public final class ExactlyOnce implements Promise {
    private final Findings findings;
    private final Map<Request, Event> queued = new HashMap<>();
    private final Map<Request, Event> decided = new HashMap<>();
    private final Set<Long> leases = new HashSet<>();

    private record Request(long lease, long seq) {}

    public ExactlyOnce(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case LEASE_STARTED -> {
                if (!leases.add(event.lease().value())) {
                    findings.report("exactly once", "lease " + event.lease() + " started twice");
                }
            }
            case QUEUED -> once(queued, ((Event.Queued) event).party().seq(), event);
            case GRANTED -> once(decided, ((Event.Granted) event).party().seq(), event);
            case LEFT -> once(decided, ((Event.Left) event).party().seq(), event);
            case MODE_CHANGED -> once(decided, ((Event.ModeChanged) event).seq(), event);
            case LEASE_EXTENDED, LEASE_ENDED, RELEASED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    @Override
    public void restored() {
        queued.clear();
        decided.clear();
        leases.clear();
    }

    private void once(Map<Request, Event> seen, long seq, Event event) {
        if (seq == 0) {
            return;
        }
        Event before = seen.put(new Request(event.lease().value(), seq), event);
        if (before != null) {
            findings.report("exactly once", "first " + before + ", then " + event);
        }
    }
}
