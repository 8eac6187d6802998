package dev.holdfast.core.model;

import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command.Acquire;
import dev.holdfast.core.command.Command.Cancel;
import dev.holdfast.core.command.Command.Describe;
import dev.holdfast.core.command.Command.Downgrade;
import dev.holdfast.core.command.Command.ForceRelease;
import dev.holdfast.core.command.Command.Release;
import dev.holdfast.core.command.Command.Upgrade;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.result.Result.Cancelled;
import dev.holdfast.core.result.Result.Refused;
import java.util.Optional;
import java.util.function.Supplier;

/** "Requests and exactly once", "Upgrade, downgrade, describe, release", for a lease that may be used. */
final class NaiveCommands {
    private final NaiveState state;
    private final NaiveTransitions transitions;
    private final NaiveAcquire acquire;
    private final NaiveQuotas quotas;

    NaiveCommands(NaiveState state, NaiveTransitions transitions, NaiveAcquire acquire) {
        this.state = state;
        this.transitions = transitions;
        this.acquire = acquire;
        this.quotas = new NaiveQuotas(state);
    }

    Result acquire(NaiveLease lease, Acquire asked) {
        lease.acknowledgeBelow(asked.ackedBelow());
        if (asked.seq() < 0) {
            return invalid("seq", 0, asked.seq());
        }
        return once(lease, asked.seq(), () -> acquire.execute(lease, asked));
    }

    Result upgrade(NaiveLease lease, Upgrade asked) {
        lease.acknowledgeBelow(asked.ackedBelow());
        if (asked.seq() < 1) {
            return invalid("seq", 1, asked.seq());
        }
        return once(lease, asked.seq(), () -> executeUpgrade(lease, asked));
    }

    private static Refused invalid(String field, long limit, long actual) {
        return new Refused(Refusal.INVALID_ARGUMENT, field, limit, actual);
    }

    private Result once(NaiveLease lease, long seq, Supplier<Result> execute) {
        if (seq == 0) {
            return execute.get();
        }
        Optional<NaiveRequest> live = state.live(lease, seq);
        if (live.isPresent() && !(live.get().isHeld() && state.has(PlantedBug.RETRY_EXECUTED_AGAIN))) {
            return live.get().waits() ? acquire.queued(live.get()) : NaiveTransitions.granted(live.get());
        }
        Result.Final finished = lease.finished.get(seq);
        if (finished != null && !state.has(PlantedBug.FINISHED_EXECUTED_AGAIN)) {
            return finished;
        }
        if (seq < lease.ackedBelow && !state.has(PlantedBug.FORGOTTEN_EXECUTED_AGAIN)) {
            return new Refused(Refusal.REQUEST_FORGOTTEN, "seq", lease.ackedBelow, seq);
        }
        long window = state.limit(Limit.UNACKNOWLEDGED);
        if (seq - lease.ackedBelow >= window) {
            return new Refused(Refusal.WINDOW_FULL, "seq", window, seq - lease.ackedBelow);
        }
        Optional<Refused> full = quotas.refuseAnswer(lease, 1);
        if (full.isPresent()) {
            return full.get();
        }
        Result answer = execute.get();
        boolean isItsOwnRecord = state.live(lease, seq).isPresent();
        if (!isItsOwnRecord && answer instanceof Result.Final last) {
            lease.finish(seq, last);
        }
        return answer;
    }

    private Result executeUpgrade(NaiveLease lease, Upgrade asked) {
        Optional<Refused> wait = NaiveAcquire.checkWait(asked.waitMillis());
        if (wait.isPresent()) {
            return wait.get();
        }
        Optional<NaiveRequest> found = state.grant(lease, asked.key(), asked.token());
        if (found.isEmpty()) {
            return notHolder(asked.key());
        }
        NaiveRequest grant = found.get();
        if (grant.hasPermits()) {
            return invalid("kind", 0, 0);
        }
        if (!grant.has(Mode.SHARED)) {
            return NaiveTransitions.granted(grant);
        }
        if (state.waitingUpgradeOf(grant).isPresent()) {
            return NaiveAcquire.partialOverlap(asked.key());
        }
        NaiveRequest upgrade = NaiveRequest.upgradeOf(grant, asked.seq(), asked.actor());
        Optional<Refused> refused = checkOtherUpgrades(upgrade)
                .or(() -> acquire.checkQuota(lease, upgrade.items))
                .or(() -> acquire.checkSubtrees(upgrade.items));
        return refused.isPresent() ? refused.get() : acquire.decide(upgrade, asked.waitMillis());
    }

    private Optional<Refused> checkOtherUpgrades(NaiveRequest upgrade) {
        if (state.has(PlantedBug.SECOND_UPGRADE_QUEUED)) {
            return Optional.empty();
        }
        return upgrade.items.stream()
                .filter(item -> state.waiters().stream()
                        .anyMatch(other ->
                                other.isUpgrade() && other.on(item.key()).isPresent()))
                .findFirst()
                .map(item -> new Refused(Refusal.DEADLOCK, item.key().toString()));
    }

    private static Refused notHolder(LockKey key) {
        return new Refused(Refusal.NOT_HOLDER, key.toString());
    }

    Result downgrade(NaiveLease lease, Downgrade asked) {
        Optional<NaiveRequest> found = state.grant(lease, asked.key(), asked.token());
        if (found.isEmpty()) {
            return notHolder(asked.key());
        }
        NaiveRequest grant = found.get();
        if (grant.hasPermits()) {
            return invalid("kind", 0, 0);
        }
        if (state.waitingUpgradeOf(grant).isPresent()) {
            return NaiveAcquire.partialOverlap(asked.key());
        }
        if (grant.has(Mode.EXCLUSIVE)) {
            transitions.downgrade(grant);
        }
        return new Result.Downgraded(grant.fencingToken(), grant.holds());
    }

    Result describe(NaiveLease lease, Describe asked) {
        Optional<NaiveRequest> found = state.grant(lease, asked.key(), asked.token());
        if (found.isEmpty()) {
            return notHolder(asked.key());
        }
        NaiveRequest grant = found.get();
        long longest = state.limit(Limit.METADATA_BYTES);
        if (asked.metadata().length() > longest) {
            return invalid("metadata", longest, asked.metadata().length());
        }
        if (!asked.metadata().equals(grant.metadata) || state.has(PlantedBug.DESCRIBE_AGAIN_IS_A_CHANGE)) {
            transitions.describe(grant, asked.metadata());
        }
        return new Result.Described(grant.fencingToken());
    }

    Result release(NaiveLease lease, Release asked) {
        lease.acknowledgeBelow(asked.ackedBelow());
        if (asked.token() < 0) {
            return invalid("token", 0, asked.token());
        }
        if (asked.token() == 0) {
            return releaseWithoutId(lease, asked.key());
        }
        Optional<NaiveRequest> found = state.grant(lease, asked.key(), asked.token());
        if (found.isPresent()) {
            transitions.release(found.get(), EndReason.RELEASED, "");
            return new Result.Released(found.get().fencingToken());
        }
        boolean anothers =
                holder(asked.key(), asked.token()).filter(NaiveRequest::isHeld).isPresent();
        return anothers ? notHolder(asked.key()) : releaseOfNothing(asked.token());
    }

    private Result releaseWithoutId(NaiveLease lease, LockKey key) {
        for (NaiveRequest request : state.live(lease)) {
            if (request.seq == 0 && request.on(key).isPresent()) {
                if (request.isHeld()) {
                    transitions.release(request, EndReason.RELEASED, "");
                    return new Result.Released(request.fencingToken());
                }
                transitions.leave(request, EndReason.CANCELLED);
                return new Cancelled(Cancelled.Was.WAITING);
            }
        }
        return new Result.AlreadyReleased();
    }

    /** Whoever holds, or lingers, on the key with the token. */
    private Optional<NaiveRequest> holder(LockKey key, long token) {
        return state.holders().stream()
                .filter(request -> request.token == token && request.on(key).isPresent())
                .findFirst();
    }

    private Result releaseOfNothing(long token) {
        return token <= state.highestToken()
                ? new Result.AlreadyReleased()
                : invalid("token", state.highestToken(), token);
    }

    Result forceRelease(ForceRelease asked) {
        if (asked.reason().isEmpty()) {
            return invalid("reason", 0, 0);
        }
        long longest = state.limit(Limit.PURPOSE_BYTES);
        if (NaiveLeaseCommands.bytes(asked.reason()) > longest) {
            return invalid("reason", longest, NaiveLeaseCommands.bytes(asked.reason()));
        }
        if (NaiveLeaseCommands.bytes(asked.by()) > longest) {
            return invalid("by", longest, NaiveLeaseCommands.bytes(asked.by()));
        }
        if (asked.token() < 1) {
            return invalid("token", 1, asked.token());
        }
        Optional<NaiveRequest> found = holder(asked.key(), asked.token());
        if (found.isEmpty()) {
            return releaseOfNothing(asked.token());
        }
        NaiveRequest grant = found.get();
        if (grant.isHeld()) {
            transitions.release(grant, EndReason.FORCED, asked.by() + ": " + asked.reason());
        } else {
            transitions.endLingering(grant);
        }
        return new Result.Released(grant.fencingToken());
    }

    Result cancel(NaiveLease lease, Cancel asked) {
        lease.acknowledgeBelow(asked.ackedBelow());
        long seq = asked.seq();
        if (seq < 1) {
            return invalid("seq", 1, seq);
        }
        Optional<NaiveRequest> live = state.live(lease, seq);
        if (live.isPresent() && live.get().waits()) {
            transitions.leave(live.get(), EndReason.CANCELLED);
            return new Cancelled(Cancelled.Was.WAITING);
        }
        if (live.isPresent()) {
            transitions.release(live.get(), EndReason.CANCELLED, "");
            return new Cancelled(Cancelled.Was.GRANTED);
        }
        if (lease.finished.containsKey(seq) || seq < lease.ackedBelow) {
            return new Cancelled(Cancelled.Was.FINISHED);
        }
        long window = 2 * state.limit(Limit.UNACKNOWLEDGED);
        if (seq - lease.ackedBelow >= window) {
            return new Refused(Refusal.WINDOW_FULL, "seq", window, seq - lease.ackedBelow);
        }
        Optional<Refused> full = quotas.refuseAnswer(lease, state.has(PlantedBug.CANCEL_NEEDS_ROOM) ? 1 : 2);
        if (full.isPresent()) {
            return full.get();
        }
        if (!state.has(PlantedBug.EARLY_CANCEL_FORGOTTEN)) {
            lease.finish(seq, new Refused(Refusal.CANCELLED, "seq"));
        }
        return new Cancelled(Cancelled.Was.UNKNOWN);
    }
}
