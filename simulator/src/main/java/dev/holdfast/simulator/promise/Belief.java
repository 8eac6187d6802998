package dev.holdfast.simulator.promise;

import dev.holdfast.core.Hold;
import dev.holdfast.core.event.Event;
import dev.holdfast.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * No client that runs believes in a grant that the cluster has ended, and none is told of a grant that the cluster has
 * not made.
 */
public final class Belief implements Promise {
    private final Findings findings;
    private final Map<Long, List<Believer>> believers = new HashMap<>();
    private final Map<Long, List<Hold>> granted = new HashMap<>();
    private final List<Former> former = new ArrayList<>();
    private final Set<Long> ended = new HashSet<>();

    private final List<Believer> absent = new ArrayList<>();

    private record Believer(SimulatedProcess process, BelievedGrant holding) {}

    /** One who holds something by the word of a cluster that is no more. */
    private record Former(Believer believer, List<Hold> holds) {}

    public Belief(Findings findings) {
        this.findings = findings;
    }

    /** A client has been told that it holds something. */
    public void told(SimulatedProcess process, BelievedGrant holding) {
        long token = holding.token();
        if (ended.contains(token)) {
            check(new Believer(process, holding), "which has ended before");
            return;
        }
        if (!granted.containsKey(token)) {
            findings.report("acknowledgement", process.name() + " was told of " + token + ", which nobody granted");
        }
        believers.computeIfAbsent(token, unused -> new ArrayList<>(1)).add(new Believer(process, holding));
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case GRANTED -> granted((Event.Granted) event);
            case MODE_CHANGED -> changed((Event.ModeChanged) event);
            case RELEASED -> ended((Event.Released) event);
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    private void granted(Event.Granted made) {
        granted.put(made.token().value(), made.holds());
        former.stream()
                .filter(one -> Conflicts.any(one.holds(), made.holds()))
                .forEach(one -> check(one.believer(), "which was forgotten by a restore, after " + made));
    }

    private void changed(Event.ModeChanged changed) {
        granted.put(changed.token().value(), changed.holds());
        List<Believer> same = believers.remove(changed.previousToken().value());
        if (same != null) {
            believers.put(changed.token().value(), same);
        }
    }

    @Override
    public void restored() {
        believers.forEach((token, known) ->
                known.forEach(believer -> former.add(new Former(believer, granted.getOrDefault(token, List.of())))));
        believers.clear();
    }

    private void ended(Event.Released released) {
        ended.add(released.token().value());
        List<Believer> known = believers.remove(released.token().value());
        if (known != null) {
            known.forEach(believer -> check(believer, "after " + released));
        }
    }

    /** Looks at those who could not be asked before. */
    public void look() {
        List<Believer> now = List.copyOf(absent);
        absent.clear();
        now.forEach(believer -> check(believer, "which ended while it did not run"));
    }

    private void check(Believer believer, String why) {
        if (!believer.process().isAlive()) {
            return;
        }
        if (!believer.process().isRunning()) {
            absent.add(believer);
        } else if (believer.holding().isValid()) {
            findings.report(
                    "belief",
                    believer.process().name() + " believes in " + believer.holding() + " for "
                            + believer.holding().remaining().toMillis() + " ms more, " + why);
        }
    }
}
