package dev.holdfast.server.operation;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.LeaseView;
import dev.holdfast.core.query.LockView;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.query.Page;
import dev.holdfast.core.result.Plan;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.read.Reads.Found;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.watch.KeyEvent;
import dev.holdfast.server.watch.KeyEvents;
import dev.holdfast.server.watch.PreviousValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Questions about locks and leases, for every edge: who may ask them, and what a reader is not shown.
 *
 * <p>A caller sees its own leases, and of locks those whose keys it may read. A question that names a key which the
 * caller may not read throws {@link Rejected} at once.
 */
public final class Questions {
    /** How many entries a page has if the caller does not say. */
    public static final int DEFAULT_PAGE = 100;

    /** How many entries a page has at most. */
    public static final int MAX_PER_PAGE = 1_000;

    /** How many of those who wait for a key are explained. */
    private static final int MAX_EXPLAINED = 10;

    private final Reads reads;
    private final CommandCheck check;
    private final KeyEvents events = KeyEvents.withoutLeases();

    public Questions(Reads reads, Bounds bounds) {
        this.reads = reads;
        this.check = new CommandCheck(bounds);
    }

    /** Who holds a key and who waits for it. */
    public CompletableFuture<Found<Optional<LockView>>> lock(LockKey key, boolean stale, Caller caller) {
        caller.require(Verb.READ, key);
        return reads.read(stale, view -> view.lock(key));
    }

    /** Locks in use whose keys start with a prefix and may be read, ordered by key, from {@code from} on. */
    public CompletableFuture<Found<Page<LockView, LockKey>>> locks(
            String prefix, Optional<LockKey> from, int limit, boolean stale, Caller caller) {
        List<String> readable = caller.who().readableUnder(prefix);
        return reads.read(stale, view -> locks(view, readable, from, limit));
    }

    /** One readable part after the other: so neither a lock nor the place to go on from is one that may not be read. */
    private static Page<LockView, LockKey> locks(
            MachineView view, List<String> readable, Optional<LockKey> from, int limit) {
        List<LockView> found = new ArrayList<>();
        for (String prefix : readable) {
            Optional<LockKey> start = from.filter(key -> prefix.isEmpty() || key.compareTo(LockKey.of(prefix)) > 0);
            Page<LockView, LockKey> page = view.locks(prefix, start, limit - found.size());
            found.addAll(page.entries());
            if (page.next().isPresent()) {
                return new Page<>(found, page.next());
            }
        }
        return new Page<>(found, Optional.empty());
    }

    /** What happened to a key, newest first. */
    public CompletableFuture<Found<List<KeyEvent>>> history(LockKey key, int limit, boolean stale, Caller caller) {
        caller.require(Verb.READ, key);
        return read(
                stale,
                view -> view.history(key, limit),
                found -> found.stream()
                        .flatMap(
                                event -> events.of(event, hold -> hold.key().equals(key), PreviousValues.NONE).stream())
                        .toList());
    }

    /** A lease of the caller. */
    public CompletableFuture<Found<Optional<LeaseView>>> lease(LeaseId id, boolean stale, Caller caller) {
        return reads.read(stale, view -> view.lease(id, caller.principal()));
    }

    /** The caller's leases, ordered by id, from {@code from} on; with a client id, only that client's. */
    public CompletableFuture<Found<Page<LeaseView, LeaseId>>> leases(
            Optional<String> clientId, Optional<LeaseId> from, int limit, boolean stale, Caller caller) {
        return reads.read(stale, view -> view.leases(caller.principal(), clientId, from, limit));
    }

    /**
     * Why the requests of a lease of the caller wait; empty if there is no such lease.
     *
     * @param seq only this request; 0 for all of them
     */
    public CompletableFuture<Found<Optional<List<Explanation>>>> explain(
            LeaseId lease, long seq, boolean stale, Caller caller) {
        String principal = caller.principal();
        return read(
                stale,
                view -> view.lease(lease, principal).map(mine -> view.explain(lease, principal, seq)),
                found -> found.map(explanations -> readable(explanations, caller)));
    }

    /** Why the first of those who wait for a key have to. */
    public CompletableFuture<Found<List<Explanation>>> explainKey(LockKey key, boolean stale, Caller caller) {
        caller.require(Verb.READ, key);
        return read(stale, view -> view.explain(key, MAX_EXPLAINED), found -> readable(found, caller));
    }

    /** What would become of an acquire. */
    public CompletableFuture<Found<Plan>> plan(Command.Acquire command, Asked asked) {
        check.require(command, asked);
        return reads.read(false, view -> view.plan(command));
    }

    /** What would become of an acquire whose lease is started with it. */
    public CompletableFuture<Found<Plan>> plan(
            Command.GrantLease start, Command.Acquire command, boolean stale, Asked asked) {
        check.require(start, asked);
        check.require(command, asked);
        return reads.read(stale, view -> view.plan(start, command));
    }

    /** Somebody else's request may wait for a key that is none of the reader's business, or for one who does. */
    private static List<Explanation> readable(List<Explanation> explanations, Caller caller) {
        return explanations.stream()
                .map(explanation -> {
                    List<Explanation.Step> steps = explanation.steps().stream()
                            .filter(step -> caller.mayRead(step.key()))
                            .toList();
                    return steps.size() == explanation.steps().size()
                            ? explanation
                            : new Explanation(
                                    explanation.revision(),
                                    explanation.wants(),
                                    explanation.blockedOn(),
                                    explanation.position(),
                                    steps,
                                    false);
                })
                .toList();
    }

    private <T, R> CompletableFuture<Found<R>> read(
            boolean stale, Function<MachineView, T> question, Function<T, R> told) {
        return reads.read(stale, question)
                .thenApply(found -> new Found<>(told.apply(found.value()), found.stamp(), found.epoch()));
    }
}
