package dev.holdfast.simulator.promise;

import dev.holdfast.core.event.Event;
import dev.holdfast.simulator.check.LinearizabilityChecker;
import dev.holdfast.simulator.check.LockInput;
import dev.holdfast.simulator.check.LockModel;
import dev.holdfast.simulator.check.LockOutput;
import dev.holdfast.simulator.check.Operation;
import dev.holdfast.simulator.check.Verdict;
import dev.holdfast.simulator.world.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What clients asked of a few exclusive locks and saw: some order must explain it. */
public final class Histories implements Promise {
    /** A search that takes longer would take very long: other seeds are a better use of the time. */
    private static final long MAX_STEPS = 200_000;

    private final World world;
    private final Findings findings;
    private final String prefix;
    private final List<Operation<LockInput, LockOutput>> operations = new ArrayList<>();
    private final List<Applied> applied = new ArrayList<>();
    private boolean recording = true;
    private boolean decided = true;
    private final Set<Long> grantsTold = new HashSet<>();
    private final Set<Long> releasesTold = new HashSet<>();

    private record Applied(String key, String client, long token, boolean begin, long atNanos) {}

    /** @param prefix of the keys that are asked for in no other way than is told here */
    public Histories(World world, Findings findings, String prefix) {
        this.world = world;
        this.findings = findings;
        this.prefix = prefix;
    }

    /** An operation under way. */
    public final class Call {
        private final String key;
        private final String client;
        private final LockInput input;
        private final long called = world.now();

        private Call(String key, String client, LockInput input) {
            this.key = key;
            this.client = client;
            this.input = input;
        }

        /** It gave this. One that never gives anything is left to what the cluster has applied. */
        public void returned(LockOutput output) {
            switch (output.kind()) {
                case GRANTED -> grantsTold.add(((LockOutput.Granted) output).token());
                case RELEASED -> {
                    if (input instanceof LockInput.Release release) {
                        releasesTold.add(release.token());
                    }
                }
                case DENIED, NOT_HELD, EXPIRED, HOLDER -> {}
            }
            operations.add(Operation.completed(key, client, called, world.now(), input, output));
        }
    }

    /** An operation begins. */
    public Call call(String key, String client, LockInput input) {
        return new Call(key, client, input);
    }

    @Override
    public void happened(Event event) {
        switch (event.kind()) {
            case GRANTED -> {
                Event.Granted granted = (Event.Granted) event;
                note(granted, granted.token().value(), true);
            }
            case RELEASED -> {
                Event.Released released = (Event.Released) event;
                note(released, released.token().value(), false);
            }
            case LEASE_STARTED, LEASE_EXTENDED, LEASE_ENDED, QUEUED, LEFT, MODE_CHANGED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    private void note(Event.OfLocks event, long token, boolean begin) {
        String key = event.holds().get(0).key().toString();
        if (recording && key.startsWith(prefix)) {
            applied.add(new Applied(key, event.party().clientId(), token, begin, world.now()));
        }
    }

    /** What was before is looked at now. Afterwards nothing is granted for a while, which no order of these explains. */
    @Override
    public void restored() {
        if (recording) {
            decided = search();
            recording = false;
        }
    }

    /** Looks for the order; false if it gave up the search for one. */
    public boolean check() {
        return recording ? search() : decided;
    }

    private boolean search() {
        for (Applied one : applied) {
            // What no caller was told of happened when the first node applied it. What no caller was told of and no
            // node has applied did not happen.
            if (!(one.begin() ? grantsTold : releasesTold).contains(one.token())) {
                operations.add(Operation.completed(
                        one.key(),
                        "cluster",
                        one.atNanos(),
                        one.atNanos(),
                        one.begin()
                                ? new LockInput.TryAcquire(one.client())
                                : new LockInput.Expire(one.client(), one.token()),
                        one.begin() ? new LockOutput.Granted(one.token()) : new LockOutput.Expired()));
            }
        }
        Verdict verdict = new LinearizabilityChecker<>(new LockModel(), MAX_STEPS).check(operations);
        return switch (verdict.kind()) {
            case LINEARIZABLE -> true;
            case UNKNOWN -> false;
            case NOT_LINEARIZABLE -> {
                findings.report("linearizability", ((Verdict.NotLinearizable) verdict).excerpt());
                yield true;
            }
        };
    }
}
