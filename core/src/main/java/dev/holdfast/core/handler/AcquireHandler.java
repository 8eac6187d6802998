package dev.holdfast.core.handler;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.Requests;
import dev.holdfast.core.state.Transitions;
import dev.holdfast.core.state.Waiting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks for a set of items: granted, queued, or refused. */
final class AcquireHandler {
    private final LeaseHandler leases;
    private final ExactlyOnce once;
    private final AcquireCheck check;
    private final Reentrancy reentrancy;
    private final Requests requests;
    private final Admission admission;
    private final Transitions transitions;

    AcquireHandler(
            LeaseHandler leases,
            ExactlyOnce once,
            AcquireCheck check,
            Reentrancy reentrancy,
            Requests requests,
            Admission admission,
            Transitions transitions) {
        this.leases = leases;
        this.once = once;
        this.check = check;
        this.reentrancy = reentrancy;
        this.requests = requests;
        this.admission = admission;
        this.transitions = transitions;
    }

    Result acquire(Command.Acquire command) {
        Lease lease = leases.find(command);
        if (lease == null) {
            return leases.notFound(command);
        }
        once.acknowledgeBelow(lease, command.ackedBelow());
        if (command.seq() < 0) {
            return LeaseHandler.invalid("seq", 0, command.seq());
        }
        Result earlier = once.earlierAnswer(lease, command.seq());
        if (earlier != null) {
            return earlier;
        }
        List<Item> items = sorted(command.items());
        Result refused = refuse(lease, command, items);
        if (refused != null) {
            return once.remember(lease, command.seq(), refused);
        }
        Request request = requests.of(lease, command, items);
        Result answer = refuseOrReenter(request, command, items);
        if (answer != null) {
            return once.remember(lease, command.seq(), answer);
        }
        if (admission.isGrantable(request)) {
            return transitions.grant(request, command.maxHoldMillis());
        }
        return once.remember(lease, command.seq(), admission.queueOrRefuse(request, waiting(command)));
    }

    /** What {@link #acquire} would do, without doing it. */
    Plan plan(Command.Acquire command) {
        Lease lease = leases.find(command);
        return lease == null ? new Plan.WouldBeRefused(leases.notFound(command)) : plan(lease, command);
    }

    /** What {@link #acquire} would do for a lease that is started first. */
    Plan plan(Command.GrantLease start, Command.Acquire command) {
        Result.Refused refused = leases.check(start);
        return refused == null ? plan(leases.imagined(start), command) : new Plan.WouldBeRefused(refused);
    }

    private Plan plan(Lease lease, Command.Acquire command) {
        List<Item> items = sorted(command.items());
        Result.Refused refused = refuse(lease, command, items);
        if (refused != null) {
            return new Plan.WouldBeRefused(refused);
        }
        Request request = requests.of(lease, command, items);
        Result answer = refuseOrReenter(request, command, items);
        return answer == null ? admission.plan(request, waiting(command)) : plan(lease, request, answer);
    }

    /** What a request comes to that is answered without being granted or enqueued. */
    private Plan plan(Lease lease, Request request, Result answer) {
        return switch (answer.kind()) {
            case REFUSED -> new Plan.WouldBeRefused((Result.Refused) answer);
            case QUEUED -> {
                // Whoever has no id and asks again for what it waits for waits on.
                Request same = reentrancy.requestWithoutId(lease, request.lock());
                yield same == null ? new Plan.WouldBeGranted() : admission.planOfWaiting(same);
            }
            case LEASE_GRANTED,
                    LEASE_REVOKED,
                    GRANTED,
                    RELEASED,
                    ALREADY_RELEASED,
                    DOWNGRADED,
                    DESCRIBED,
                    CANCELLED,
                    ENDED,
                    CHANGED -> new Plan.WouldBeGranted();
        };
    }

    private static Waiting waiting(Command.Acquire command) {
        return new Waiting(null, command.waitMillis(), command.maxHoldMillis(), command.leaseCoversWait());
    }

    private Result.@Nullable Refused refuse(Lease lease, Command.Acquire command, List<Item> items) {
        Result.Refused refused = check.check(command, items);
        return refused != null ? refused : admission.checkClaims(lease, claims(items));
    }

    private @Nullable Result refuseOrReenter(Request request, Command.Acquire command, List<Item> items) {
        Result.Refused refused = check.checkSubtrees(request);
        if (refused == null) {
            refused = AcquireCheck.checkKinds(request, items);
        }
        if (refused != null) {
            return refused;
        }
        Result reentrant = reentrancy.answer(request.lease(), command, items);
        return reentrant != null ? reentrant : check.checkOwner(request.lease(), command.owner());
    }

    private static int claims(List<Item> items) {
        int claims = 0;
        for (Item item : items) {
            claims += item.kind() == Kind.PERMITS ? item.count() : 1;
        }
        return claims;
    }

    static List<Item> sorted(List<Item> items) {
        if (items.size() < 2) {
            return items;
        }
        List<Item> sorted = new ArrayList<>(items);
        sorted.sort(Comparator.comparing(Item::key));
        return sorted;
    }
}
