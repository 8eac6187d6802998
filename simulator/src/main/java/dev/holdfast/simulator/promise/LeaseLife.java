package dev.holdfast.simulator.promise;

import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Applied;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lease does not run out before its time has passed since the last renewal that was acknowledged: by the cluster's
 * clock, and, within what clocks may differ, in the world's time.
 */
public final class LeaseLife implements Promise {
    private static final long DRIFT_PART = 100;
    private static final long GRID_MILLIS = 2;

    private final Findings findings;
    private final Map<Long, Life> lives = new HashMap<>();
    private long proposedNanos;

    private static final class Life {
        private final long ttlMillis;
        private long endMillis;
        private long sinceNanos;

        Life(long ttlMillis, long endMillis, long sinceNanos) {
            this.ttlMillis = ttlMillis;
            this.endMillis = endMillis;
            this.sinceNanos = sinceNanos;
        }
    }

    public LeaseLife(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void entry(AppliedEntry entry, long proposed) {
        proposedNanos = proposed;
        long[] renewed = entry.batch().renewals();
        for (int i = 0; i < renewed.length; i++) {
            Life life = lives.get(renewed[i]);
            long end = entry.applied().renewedEnds()[i];
            if (life != null && end != Applied.NOT_RENEWED) {
                life.endMillis = end;
                life.sinceNanos = proposed;
            } else if (end != Applied.NOT_RENEWED) {
                findings.report("lease life", "lease " + renewed[i] + " was renewed, and there is none");
            }
        }
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case LEASE_STARTED -> {
                Event.LeaseStarted started = (Event.LeaseStarted) event;
                lives.put(
                        started.lease().value(),
                        new Life(started.ttlMillis(), started.at() + started.ttlMillis(), proposedNanos));
            }
            case LEASE_EXTENDED -> {
                Event.LeaseExtended extended = (Event.LeaseExtended) event;
                lives.put(
                        extended.lease().value(), new Life(extended.ttlMillis(), extended.endMillis(), proposedNanos));
            }
            case LEASE_ENDED -> ended((Event.LeaseEnded) event);
            case QUEUED, LEFT, GRANTED, RELEASED, MODE_CHANGED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    private void ended(Event.LeaseEnded ended) {
        Life life = lives.remove(ended.lease().value());
        if (ended.reason() == EndReason.LEASE_EXPIRED) {
            check(life, ended);
        }
    }

    @Override
    public void restored() {
        lives.clear();
    }

    private void check(@Nullable Life life, Event.LeaseEnded ended) {
        if (life == null) {
            findings.report("lease life", "a lease expired that had not begun: " + ended);
            return;
        }
        if (ended.at() < life.endMillis) {
            findings.report("lease life", ended + " before its end at " + life.endMillis);
        }
        long lived = proposedNanos - life.sinceNanos;
        long least = TimeUnit.MILLISECONDS.toNanos(life.ttlMillis - GRID_MILLIS);
        if (lived < least - least / DRIFT_PART) {
            findings.report(
                    "lease life",
                    ended + " lived " + TimeUnit.NANOSECONDS.toMillis(lived) + " ms after its last renewal, of "
                            + life.ttlMillis);
        }
    }

    /** Leases that have not ended. */
    public int alive() {
        return lives.size();
    }
}
