package dev.holdfast.server.operation;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.replica.LeaseListeners;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Requests.Renewed;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Carries commands out: checks them, submits them, and waits where a request has to wait. */
public final class Commands {
    private final Requests requests;
    private final LeaseListeners listeners;
    private final LockReplica replica;
    private final CommandCheck check;

    public Commands(NodeCore parts) {
        this.requests = parts.requests();
        this.listeners = parts.listeners();
        this.replica = parts.replica();
        this.check = new CommandCheck(new Bounds(replica));
    }

    /**
     * A request on its way.
     *
     * @param answer anything but {@link Result.Queued}
     * @param abandon gives the wait up here; the place in the queue stays, and the same request again finds it
     */
    public record Pending(CompletableFuture<Answer> answer, Runnable abandon) {}

    /**
     * Submits a command; the answer may be that its request waits.
     *
     * @throws Rejected if the caller may not do this, or if no entry can carry it
     */
    public CompletableFuture<Answer> submit(Command command, Asked asked) {
        check.require(command, asked);
        return requests.submit(asked.caller().flow(), command);
    }

    /**
     * Goes on only if the caller may submit this command, and if an entry can carry it.
     *
     * @throws Rejected otherwise
     */
    public void require(Command command, Asked asked) {
        check.require(command, asked);
    }

    /**
     * Submits a command, and waits until its request is granted or refused.
     *
     * @throws Rejected if the caller may not do this, or if no entry can carry it
     */
    public Pending decide(Command command, Asked asked) {
        check.require(command, asked);
        Optional<RequestId> id = RequestId.of(command);
        Flow flow = asked.caller().flow();
        return id.isPresent()
                ? waitFor(id.get(), flow, command)
                : new Pending(requests.submit(flow, command), () -> {});
    }

    private Pending waitFor(RequestId id, Flow flow, Command command) {
        Wait wait = new Wait(id, replica);
        LeaseId lease = id.lease();
        listeners.add(lease, wait);
        CompletableFuture<Answer> answer = requests.submit(flow, command)
                .thenCompose(first -> first.result() instanceof Result.Queued queued
                        ? wait.queued(queued)
                        : CompletableFuture.completedFuture(first))
                .whenComplete((ended, failure) -> listeners.remove(lease, wait));
        return new Pending(answer, wait::abandon);
    }

    /** Submits several commands: those that fit share an entry. */
    public <T> T together(Supplier<T> submissions) {
        return requests.together(submissions);
    }

    /** Renews leases of the caller. They may wait a little for an entry that leaves anyway. */
    public CompletableFuture<Renewed> renew(Caller caller, long[] leases) {
        return requests.renew(caller.flow(), caller.principal(), leases);
    }

    /**
     * A refusal from what this node knows, which may be old; none if the request has a chance, or if this may be the
     * retry of one that was decided already.
     *
     * @throws Rejected if the caller may not do this
     */
    public Optional<Result.Refused> staleDenial(Command.Acquire command, Asked asked) {
        check.require(command, asked);
        return replica.ask(view ->
                view.isNew(command.lease(), command.seq()) ? denial(view.plan(command), command) : Optional.empty());
    }

    /** Likewise for a first request that comes with a lease of its own; for who has the machine's turn already. */
    public static Optional<Result.Refused> staleDenial(
            MachineView view, Command.GrantLease start, Command.Acquire command) {
        return denial(view.plan(start, command), command);
    }

    private static Optional<Result.Refused> denial(Plan plan, Command.Acquire command) {
        return switch (plan.kind()) {
            case WOULD_WAIT -> {
                Plan.WouldWait wait = (Plan.WouldWait) plan;
                yield Optional.of(held(wait.blockedOn().toString(), wait.blockers()));
            }
            case WOULD_DEADLOCK -> {
                String first = command.items().get(0).key().toString();
                yield Optional.of(held(first, ((Plan.WouldDeadlock) plan).cycle()));
            }
            case WOULD_BE_GRANTED, WOULD_BE_REFUSED -> Optional.empty();
        };
    }

    private static Result.Refused held(String key, List<Result.Blocker> blockers) {
        return new Result.Refused(Refusal.LOCK_ALREADY_HELD, key, 0, 0, blockers);
    }
}
