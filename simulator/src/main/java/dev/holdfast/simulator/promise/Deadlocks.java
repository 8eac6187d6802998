package dev.holdfast.simulator.promise;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Item;
import dev.holdfast.core.Permits;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Nobody is left waiting for what could never come: who would close a cycle is told so at once. And nobody is told so
 * without a cycle.
 */
public final class Deadlocks implements Promise {
    private static final String NAME = "deadlock";
    private static final Asked NOTHING = new Asked(0, List.of(), 0);

    private final Findings findings;
    private final WaitGraph graph = new WaitGraph();
    private final Map<Request, Asked> asked = new HashMap<>();
    private final Map<Long, String> clients = new HashMap<>();
    private final Set<Request> refused = new HashSet<>();

    private record Request(long lease, long seq) {}

    /**
     * What a command said and no event repeats.
     *
     * @param upgrades the token of the grant that is to become exclusive; 0 for none
     */
    private record Asked(long actor, List<Item> items, long upgrades) {}

    public Deadlocks(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void entry(AppliedEntry entry, long proposedNanos) {
        entry.batch().commands().forEach(this::remember);
    }

    private void remember(Command command) {
        switch (command.kind()) {
            case ACQUIRE -> {
                Command.Acquire acquire = (Command.Acquire) command;
                asked.putIfAbsent(
                        new Request(acquire.lease().value(), acquire.seq()),
                        new Asked(acquire.actor(), acquire.items(), 0));
            }
            case UPGRADE -> {
                Command.Upgrade upgrade = (Command.Upgrade) command;
                asked.putIfAbsent(
                        new Request(upgrade.lease().value(), upgrade.seq()),
                        new Asked(upgrade.actor(), List.of(), upgrade.token()));
            }
            case GRANT_LEASE,
                    EXTEND_LEASE,
                    REVOKE_LEASE,
                    DOWNGRADE,
                    DESCRIBE,
                    RELEASE,
                    CANCEL,
                    FORCE_RELEASE,
                    SET_LIMIT,
                    RAISE_FEATURE_LEVEL -> {}
        }
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case LEASE_STARTED -> clients.put(event.lease().value(), ((Event.LeaseStarted) event).clientId());
            case QUEUED -> queued((Event.Queued) event);
            case LEFT -> graph.waitsNoMore(request((Event.Left) event));
            case GRANTED -> granted((Event.Granted) event);
            case MODE_CHANGED -> modeChanged((Event.ModeChanged) event);
            case RELEASED -> graph.holdsNoMore(((Event.Released) event).token().value());
            case LEASE_EXTENDED, LEASE_ENDED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    private void granted(Event.Granted event) {
        graph.waitsNoMore(request(event));
        graph.holds(event.token().value(), actor(request(event)), event.holds());
    }

    private void queued(Event.Queued event) {
        Request request = request(event);
        long upgrades = asked(request).upgrades();
        if (upgrades != 0 && graph.isUpgraded(event.holds())) {
            findings.report(NAME, event + " waits for the hold of another upgrade, which waits for its own");
        }
        // Upgrades go before all others.
        long rank = upgrades == 0 ? event.revision() : event.revision() + Long.MIN_VALUE;
        WaitGraph.Waiter waiter = waiter(request, rank, event.holds());
        graph.waits(request, waiter);
        check(waiter.who(), event);
    }

    private void modeChanged(Event.ModeChanged event) {
        String who = graph.holder(event.previousToken().value());
        graph.waitsNoMore(new Request(event.party().lease().value(), event.seq()));
        graph.holdsNoMore(event.previousToken().value());
        graph.holds(event.token().value(), who, event.holds());
        check(who, event);
    }

    private void check(String who, Event after) {
        if (!graph.canFinish(who)) {
            findings.report(NAME, who + " waits and could never be granted, after " + after);
        }
    }

    @Override
    public void applied(AppliedEntry entry) {
        List<Command> commands = entry.batch().commands();
        for (int i = 0; i < commands.size(); i++) {
            if (commands.get(i) instanceof Command.Acquire acquire
                    && entry.applied().results().get(i) instanceof Result.Refused no
                    && no.code() == Refusal.DEADLOCK) {
                // Behind any but the last, others have changed who holds and waits.
                refused(acquire, no, i == commands.size() - 1);
            }
        }
    }

    private void refused(Command.Acquire acquire, Result.Refused no, boolean last) {
        Request request = new Request(acquire.lease().value(), acquire.seq());
        if (!refused.add(request)) {
            return; // the answer of before, once more
        }
        if (no.blockers().isEmpty()) {
            findings.report(NAME, acquire + " was refused without being told of a cycle");
        }
        WaitGraph.Waiter imagined = waiter(request, Long.MAX_VALUE, wanted(acquire));
        graph.waits(request, imagined);
        if (last && graph.canFinish(imagined.who())) {
            findings.report(NAME, acquire + " was refused for " + no + ", and could have been granted some day");
        }
        graph.waitsNoMore(request);
    }

    private static List<Hold> wanted(Command.Acquire acquire) {
        List<Hold> wanted = new ArrayList<>();
        for (Item item : acquire.items()) {
            wanted.add(new Hold(item.key(), item.kind(), item.mode(), Permits.wanted(item.count())));
        }
        return wanted;
    }

    private WaitGraph.Waiter waiter(Request request, long rank, List<Hold> holds) {
        Asked what = asked(request);
        String actor = actor(request);
        Map<String, Integer> capacities = new HashMap<>();
        what.items().forEach(item -> capacities.put(item.key().toString(), item.capacity()));
        return new WaitGraph.Waiter(
                actor.equals(WaitGraph.NOBODY) ? request.toString() : actor, rank, holds, capacities, what.upgrades());
    }

    /** Who asked: an upgrade's actor is that of its grant, if that has one. */
    private String actor(Request request) {
        Asked what = asked(request);
        String holder = graph.holder(what.upgrades());
        if (!holder.equals(WaitGraph.NOBODY)) {
            return holder;
        }
        return what.actor() == 0 ? WaitGraph.NOBODY : clients.get(request.lease()) + "#" + what.actor();
    }

    private Asked asked(Request request) {
        return asked.getOrDefault(request, NOTHING);
    }

    private static Request request(Event.OfLocks event) {
        return new Request(event.party().lease().value(), event.party().seq());
    }

    @Override
    public void restored() {
        graph.clear();
        asked.clear();
        refused.clear();
        clients.clear();
    }
}
