package dev.holdfast.simulator.promise;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Permits;
import dev.holdfast.core.event.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Nobody is granted something while an older request waits that excludes it; upgrades excepted. */
public final class FirstComeFirstServed implements Promise {
    private final Findings findings;
    private final Map<Request, Place> waiting = new LinkedHashMap<>();

    private record Request(long lease, long seq, String firstKey) {}

    private record Place(long revision, List<Hold> holds) {}

    public FirstComeFirstServed(Findings findings) {
        this.findings = findings;
    }

    private static Request of(Event.OfLocks event) {
        long seq = event.party().seq();
        // Requests without an id are told apart by what they ask for.
        String key = seq == 0 ? event.holds().get(0).key().toString() : "";
        return new Request(event.party().lease().value(), seq, key);
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case QUEUED -> {
                Event.Queued queued = (Event.Queued) event;
                waiting.put(of(queued), new Place(queued.revision(), queued.holds()));
            }
            case LEFT -> waiting.remove(of((Event.Left) event));
            case MODE_CHANGED ->
                waiting.remove(new Request(event.lease().value(), ((Event.ModeChanged) event).seq(), ""));
            case GRANTED -> {
                Event.Granted granted = (Event.Granted) event;
                waiting.remove(of(granted));
                check(granted);
            }
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, RELEASED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    @Override
    public void restored() {
        waiting.clear();
    }

    private void check(Event.Granted granted) {
        long place = granted.queuedRevision() == 0 ? granted.revision() : granted.queuedRevision();
        waiting.forEach((request, older) -> {
            if (older.revision() < place && Conflicts.any(asked(granted.holds()), older.holds())) {
                findings.report(
                        "first come, first served",
                        granted.party() + " was granted " + granted.holds() + ", and " + request + " has waited for "
                                + older.holds() + " since revision " + older.revision());
            }
        });
    }

    /** What was asked for: permits of a semaphore, whichever they turned out to be. */
    private static List<Hold> asked(List<Hold> holds) {
        return holds.stream()
                .map(hold -> new Hold(
                        hold.key(),
                        hold.kind(),
                        hold.mode(),
                        Permits.wanted(hold.permits().count())))
                .toList();
    }
}
