package dev.holdfast.core.handler;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.Requests;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;
import dev.holdfast.core.state.Waiting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes shared grants exclusive and exclusive ones shared. */
final class ModeHandler {
    private final LeaseHandler leases;
    private final ExactlyOnce once;
    private final AcquireCheck check;
    private final Requests requests;
    private final Admission admission;
    private final Transitions transitions;
    private final State state;
    private final Grants grants;

    ModeHandler(
            LeaseHandler leases,
            ExactlyOnce once,
            AcquireCheck check,
            Requests requests,
            Admission admission,
            Transitions transitions,
            State state,
            Grants grants) {
        this.leases = leases;
        this.once = once;
        this.check = check;
        this.requests = requests;
        this.admission = admission;
        this.transitions = transitions;
        this.state = state;
        this.grants = grants;
    }

    Result upgrade(Command.Upgrade command) {
        Lease lease = leases.find(command);
        if (lease == null) {
            return leases.notFound(command);
        }
        once.acknowledgeBelow(lease, command.ackedBelow());
        if (command.seq() < 1) {
            return LeaseHandler.invalid("seq", 1, command.seq());
        }
        Result earlier = once.earlierAnswer(lease, command.seq());
        return earlier != null ? earlier : once.remember(lease, command.seq(), decideUpgrade(lease, command));
    }

    private Result decideUpgrade(Lease lease, Command.Upgrade command) {
        Result.Refused wait = AcquireCheck.checkWait(command.waitMillis());
        if (wait != null) {
            return wait;
        }
        Request grant = grants.find(command.key(), command.token());
        if (grant == null || grant.lease() != lease) {
            return refused(Refusal.NOT_HOLDER, command.key());
        }
        if (grant.hasPermits()) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "kind");
        }
        if (!grant.hasMode(false)) {
            return transitions.granted(grant);
        }
        if (Transitions.upgradeOf(grant) != null) {
            return refused(Refusal.PARTIAL_OVERLAP, command.key());
        }
        Result.Refused rival = refuseForRival(grant);
        if (rival != null) {
            return rival;
        }
        Request upgrade = requests.upgrade(grant, command);
        Result.Refused full = admission.checkClaims(lease, upgrade.lockCount());
        if (full == null) {
            full = check.checkSubtrees(upgrade);
        }
        if (full != null) {
            return full;
        }
        Waiting waiting = upgrade.waiting();
        if (waiting == null) {
            throw new IllegalStateException("an upgrade knows what it upgrades");
        }
        if (!admission.isGrantable(upgrade)) {
            return admission.queueOrRefuse(upgrade, waiting);
        }
        // Its actor may wait elsewhere, behind somebody whom the exclusive hold would now keep waiting.
        Result.Refused deadlock = admission.refuseIfItsActorWouldBeStuck(upgrade);
        return deadlock != null ? deadlock : transitions.upgrade(upgrade, grant);
    }

    /** Two upgrades of one key would wait for each other's shared hold for ever. */
    private Result.@Nullable Refused refuseForRival(Request grant) {
        for (Claim claim = grant; claim != null; claim = claim.next()) {
            if (!claim.isExclusive() && claim.lock().waiterCount() > 0) {
                Claim first = claim.lock().waiter(0);
                if (first.request().isUpgrade()) {
                    return new Result.Refused(
                            Refusal.DEADLOCK, claim.key().toString(), 0, 0, List.of(state.blocker(first)));
                }
            }
        }
        return null;
    }

    Result downgrade(Command.Downgrade command) {
        Lease lease = leases.find(command);
        if (lease == null) {
            return leases.notFound(command);
        }
        Request grant = grants.find(command.key(), command.token());
        if (grant == null || grant.lease() != lease) {
            return refused(Refusal.NOT_HOLDER, command.key());
        }
        if (grant.hasPermits()) {
            return new Result.Refused(Refusal.INVALID_ARGUMENT, "kind");
        }
        if (Transitions.upgradeOf(grant) != null) {
            return refused(Refusal.PARTIAL_OVERLAP, command.key());
        }
        if (grant.hasMode(true)) {
            transitions.downgrade(grant);
        }
        return new Result.Downgraded(transitions.granted(grant).token(), grant.holds());
    }

    private static Result.Refused refused(Refusal code, LockKey key) {
        return new Result.Refused(code, key.toString());
    }
}
