package dev.holdfast.server.operation;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limits;
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
import dev.holdfast.server.read.Reads.Question;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.watch.KeyEvent;
import dev.holdfast.server.watch.KeyEvents;
import java.util.List;
import java.util.Optional;

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
    public Question<Optional<LockView>> lock(LockKey key, boolean stale, Caller caller) {
        caller.require(Verb.READ, key);
        return reads.read(caller.flow(), stale, view -> view.lock(key));
    }

    /** Locks in use whose keys start with a prefix and may be read, ordered by key, from {@code from} on. */
    public Question<Page<LockView, LockKey>> locks(
            String prefix, Optional<LockKey> from, int limit, boolean stale, Caller caller) {
        List<String> readable = caller.who().readableUnder(prefix);
        // So neither a lock nor the place to go on from is one that may not be read.
        return reads.read(caller.flow(), stale, view -> view.locks(readable, from, limit));
    }

    /**
     * What happened to a key, newest first.
     *
     * @param before only events below this revision; 0 for all
     */
    public Question<Page<KeyEvent, Long>> history(LockKey key, long before, int limit, boolean stale, Caller caller) {
        caller.require(Verb.READ, key);
        return reads.read(caller.flow(), stale, view -> view.history(key, before, limit))
                .map(page -> new Page<>(
                        page.entries().stream()
                                .flatMap(event -> events.of(event, key).stream())
                                .toList(),
                        page.next()));
    }

    /** The replicated limits. */
    public Question<Limits> limits(Caller caller) {
        return reads.read(caller.flow(), false, MachineView::limits);
    }

    /** A lease of the caller. */
    public Question<Optional<LeaseView>> lease(LeaseId id, boolean stale, Caller caller) {
        return reads.read(caller.flow(), stale, view -> view.lease(id, caller.principal()));
    }

    /** The caller's leases, ordered by id, from {@code from} on; with a client id, only that client's. */
    public Question<Page<LeaseView, LeaseId>> leases(
            Optional<String> clientId, Optional<LeaseId> from, int limit, boolean stale, Caller caller) {
        return reads.read(caller.flow(), stale, view -> view.leases(caller.principal(), clientId, from, limit));
    }

    /**
     * Why the requests of a lease of the caller wait, oldest first; empty if there is no such lease.
     *
     * @param seq only this request; 0 for all of them
     * @param from only requests from this revision on
     */
    public Question<Optional<Page<Explanation, Long>>> explain(
            LeaseId lease, long seq, long from, boolean stale, Caller caller) {
        String principal = caller.principal();
        return reads.read(
                        caller.flow(),
                        stale,
                        view -> view.leaseEndMillis(lease, principal).isPresent()
                                ? Optional.of(view.explain(lease, principal, seq, from))
                                : Optional.<Page<Explanation, Long>>empty())
                .map(found -> found.map(page -> readable(page, caller)));
    }

    /** Why the first of those who wait for a key have to. */
    public Question<Page<Explanation, Long>> explainKey(LockKey key, boolean stale, Caller caller) {
        caller.require(Verb.READ, key);
        return reads.read(caller.flow(), stale, view -> view.explain(key, MAX_EXPLAINED))
                .map(page -> readable(page, caller));
    }

    /** What would become of an acquire. */
    public Question<Plan> plan(Command.Acquire command, Asked asked) {
        check.require(command, asked);
        return reads.read(asked.caller().flow(), false, view -> view.plan(command));
    }

    /** What would become of an acquire whose lease is started with it. */
    public Question<Plan> plan(Command.GrantLease start, Command.Acquire command, boolean stale, Asked asked) {
        check.require(start, asked);
        check.require(command, asked);
        return reads.read(asked.caller().flow(), stale, view -> view.plan(start, command));
    }

    /** Somebody else's request may wait for a key that is none of the reader's business, or for one who does. */
    private static Page<Explanation, Long> readable(Page<Explanation, Long> page, Caller caller) {
        return new Page<>(
                page.entries().stream()
                        .map(explanation -> readable(explanation, caller))
                        .toList(),
                page.next(),
                page.complete());
    }

    private static Explanation readable(Explanation explanation, Caller caller) {
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
    }
}
