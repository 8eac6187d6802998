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
        if (event instanceof Event.LeaseStarted started
                && !leases.add(started.lease().value())) {
            findings.report("exactly once", "lease " + started.lease() + " started twice");
        }
        if (event instanceof Event.Queued one) {
            once(queued, one.party().lease().value(), one.party().seq(), event);
        } else if (event instanceof Event.Granted granted) {
            once(decided, granted.party().lease().value(), granted.party().seq(), event);
        } else if (event instanceof Event.Left left) {
            once(decided, left.party().lease().value(), left.party().seq(), event);
        } else if (event instanceof Event.ModeChanged changed && changed.seq() != 0) {
            once(decided, changed.party().lease().value(), changed.seq(), event);
        }
    }

    @Override
    public void restored(long quarantineMillis) {
        queued.clear();
        decided.clear();
        leases.clear();
    }

    private void once(Map<Request, Event> seen, long lease, long seq, Event event) {
        if (seq == 0) {
            return;
        }
        Event before = seen.put(new Request(lease, seq), event);
        if (before != null) {
            findings.report("exactly once", "first " + before + ", then " + event);
        }
    }
}
