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
import java.util.Optional;
import java.util.Set;

/** What clients asked of a few exclusive locks and saw: some order must explain it. */
public final class Histories implements Promise {
    /** A search that takes longer would take very long: other seeds are a better use of the time. */
    private static final long MOST_STEPS = 30_000;

    private final World world;
    private final Findings findings;
    private final String prefix;
    private final List<Operation<LockInput, LockOutput>> operations = new ArrayList<>();
    private final List<Ended> ends = new ArrayList<>();
    private boolean recording = true;
    private boolean decided = true;
    private final List<Call> begun = new ArrayList<>();
    private final Set<Long> releasedByCall = new HashSet<>();

    private record Ended(String key, String client, long token, long atNanos) {}

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
        private boolean over;

        private Call(String key, String client, LockInput input) {
            this.key = key;
            this.client = client;
            this.input = input;
        }

        /** It gave this; nothing if what became of it is unknown. */
        public void returned(Optional<LockOutput> output) {
            if (over) {
                return;
            }
            over = true;
            if (input instanceof LockInput.Release release && output.orElse(null) instanceof LockOutput.Released) {
                releasedByCall.add(release.token());
            }
            operations.add(output.map(known -> Operation.completed(key, client, called, world.now(), input, known))
                    .orElseGet(() -> Operation.ofUnknownOutcome(key, client, called, input)));
        }
    }

    /** An operation begins. */
    public Call call(String key, String client, LockInput input) {
        Call call = new Call(key, client, input);
        begun.add(call);
        return call;
    }

    @Override
    public void happened(Event event) {
        if (event instanceof Event.Released released) {
            String key = released.holds().get(0).key().toString();
            if (key.startsWith(prefix)) {
                ends.add(new Ended(
                        key, released.party().clientId(), released.token().value(), world.now()));
            }
        }
    }

    /** What was before is looked at now. Afterwards nothing is granted for a while, which no order of these explains. */
    @Override
    public void restored(long quarantineMillis) {
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
        begun.forEach(call -> call.returned(Optional.empty()));
        for (Ended end : ends) {
            // What nobody called for, or a call whose answer was lost, happened when the first node applied it.
            if (!releasedByCall.contains(end.token())) {
                operations.add(Operation.completed(
                        end.key(),
                        "cluster",
                        end.atNanos(),
                        end.atNanos(),
                        new LockInput.Expire(end.client(), end.token()),
                        new LockOutput.Expired()));
            }
        }
        Verdict verdict = new LinearizabilityChecker<>(new LockModel(), MOST_STEPS).check(operations);
        if (verdict instanceof Verdict.NotLinearizable wrong) {
            findings.report("linearizability", wrong.excerpt());
        }
        return !(verdict instanceof Verdict.Unknown);
    }
}
