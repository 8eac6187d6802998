package dev.holdfast.core.model;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.command.Command.Acquire;
import dev.holdfast.core.command.Command.Cancel;
import dev.holdfast.core.command.Command.Describe;
import dev.holdfast.core.command.Command.Downgrade;
import dev.holdfast.core.command.Command.ExtendLease;
import dev.holdfast.core.command.Command.ForceRelease;
import dev.holdfast.core.command.Command.GrantLease;
import dev.holdfast.core.command.Command.OfLease;
import dev.holdfast.core.command.Command.RaiseFeatureLevel;
import dev.holdfast.core.command.Command.Release;
import dev.holdfast.core.command.Command.RevokeLease;
import dev.holdfast.core.command.Command.SetLimit;
import dev.holdfast.core.command.Command.Upgrade;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.image.TombstoneImage;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.result.Result.Refused;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The lock machine once more, to be read beside {@code docs/lock-machine.md}: plain lists, linear scans, everything
 * computed anew each time.
 */
final class NaiveMachine implements Machine {
    private static final int FEATURE_LEVEL = 1;

    private final NaiveState state;
    private final NaiveRules rules;
    private final NaiveTransitions transitions;
    private final NaiveLeaseCommands leaseCommands;
    private final NaiveCommands commands;

    NaiveMachine() {
        this(Set.of());
    }

    NaiveMachine(Set<PlantedBug> bugs) {
        state = new NaiveState(bugs);
        rules = new NaiveRules(state);
        transitions = new NaiveTransitions(state);
        leaseCommands = new NaiveLeaseCommands(state, transitions);
        commands = new NaiveCommands(state, transitions, new NaiveAcquire(state, rules, transitions));
    }

    @Override
    public Applied apply(long entryTerm, Batch batch) {
        state.events.clear();
        state.wallMillis = batch.wallMillis();
        List<NaiveLease> renewable = renewable();
        if (batch.clockTerm() == entryTerm || state.has(PlantedBug.STALE_STAMP_MOVES_CLOCK)) {
            state.now = Math.max(state.now, batch.clusterTimeMillis());
        }
        long[] renewedEnds = renew(batch.renewals(), renewable);
        forgetTombstones();
        state.endsLeft = state.has(PlantedBug.BUDGET_IGNORED) ? Long.MAX_VALUE : state.limit(Limit.ENDS_PER_ENTRY);
        state.grantsLeft = grantsPerEntry();
        endWhatIsDue();
        boolean nothingEnded = state.events.isEmpty();
        if (!nothingEnded || !state.has(PlantedBug.PASS_FORGOTTEN)) {
            grantPass();
        }
        List<Result> results = new ArrayList<>();
        for (Command command : batch.commands()) {
            if (state.has(PlantedBug.GRANTS_COUNTED_BY_COMMAND)) {
                state.grantsLeft = grantsPerEntry();
            }
            Result result = execute(command);
            results.add(result);
            if (!wakesNobody(command, result)) {
                grantPass();
            }
        }
        return new Applied(state.now, state.revision, renewedEnds, results, List.copyOf(state.events));
    }

    private long grantsPerEntry() {
        return state.has(PlantedBug.GRANTS_WITHOUT_BOUND) ? Long.MAX_VALUE : state.limit(Limit.GRANTS_PER_ENTRY);
    }

    /** The leases that are not due yet. */
    private List<NaiveLease> renewable() {
        return state.leases.stream()
                .filter(lease -> !state.isLeaseDue(lease) || state.has(PlantedBug.DOOMED_LEASE_RENEWED))
                .toList();
    }

    private long[] renew(long[] ids, List<NaiveLease> renewable) {
        long[] ends = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            Optional<NaiveLease> lease = state.lease(ids[i]).filter(renewable::contains);
            lease.ifPresent(renewed ->
                    state.setEnd(renewed, Math.max(renewed.endMillis, state.now + renewed.grantedTtlMillis)));
            ends[i] = lease.map(renewed -> renewed.endMillis).orElse(Applied.NOT_RENEWED);
        }
        return ends;
    }

    private void forgetTombstones() {
        long oldest = state.now - state.limit(Limit.TOMBSTONE_MILLIS);
        if (state.has(PlantedBug.TOMBSTONE_FORGOTTEN_EARLY)) {
            oldest++;
        }
        List<TombstoneImage> forgotten = new ArrayList<>();
        for (TombstoneImage ended : state.tombstones) {
            if (ended.endedAtMillis() < oldest && forgotten.size() < state.limit(Limit.ENDS_PER_ENTRY)) {
                forgotten.add(ended);
            }
        }
        state.tombstones.removeAll(forgotten);
    }

    /** One thing whose time has come. */
    private record Due(long tick, int kind, long id, Runnable end) {
        static final Comparator<Due> ORDER = Comparator.comparingLong(Due::tick)
                .thenComparingInt(Due::kind)
                .thenComparing(Due::id, Long::compareUnsigned);
    }

    private void endWhatIsDue() {
        Optional<Due> next = nextDue();
        while (next.isPresent() && state.endsLeft > 0) {
            // A lease counts what it ends itself.
            state.endsLeft -= next.get().kind() == 0 ? 0 : 1;
            next.get().end().run();
            next = nextDue();
        }
    }

    private Optional<Due> nextDue() {
        List<Due> due = new ArrayList<>();
        for (NaiveLease lease : state.leases) {
            if (state.isLeaseDue(lease)) {
                due.add(new Due(lease.endTick, 0, lease.id.value(), () -> expire(lease)));
            }
        }
        for (NaiveRequest request : state.requests) {
            long tick = NaiveState.tick(request.endMillis);
            if (state.isWaitDue(request)) {
                due.add(new Due(
                        state.waitTick(request),
                        1,
                        request.revision,
                        () -> transitions.leave(request, EndReason.TIMEOUT)));
            } else if (request.isHeld() && request.endMillis != 0 && state.isDue(tick)) {
                due.add(new Due(tick, 2, request.revision, () -> transitions.release(request, EndReason.MAX_HOLD, "")));
            } else if (request.lingers() && state.isDue(tick)) {
                due.add(new Due(tick, 3, request.revision, () -> transitions.endLingering(request)));
            }
        }
        long quarantineTick = NaiveState.tick(state.quarantineEnd);
        if (state.quarantineEnd != 0 && state.isDue(quarantineTick)) {
            due.add(new Due(quarantineTick, 4, 0, () -> state.quarantineEnd = 0));
        }
        return due.stream().min(Due.ORDER);
    }

    private void expire(NaiveLease lease) {
        transitions.closeLease(lease, EndReason.LEASE_EXPIRED, this::grantPass);
    }

    private void grantPass() {
        for (NaiveRequest request : state.waiters()) {
            if (rules.isGrantable(request) && state.grantsLeft > 0) {
                state.grantsLeft--;
                transitions.grant(request);
            }
        }
    }

    private boolean wakesNobody(Command command, Result result) {
        if (command instanceof Downgrade) {
            return state.has(PlantedBug.DOWNGRADE_WAKES_NOBODY);
        }
        return command instanceof Cancel
                && result.equals(new Result.Cancelled(Result.Cancelled.Was.WAITING))
                && state.has(PlantedBug.CANCELLED_SET_WAKES_NOBODY);
    }

    private Result execute(Command command) {
        if (command instanceof GrantLease asked) {
            return leaseCommands.grant(asked);
        }
        if (command instanceof OfLease ofLease) {
            Optional<Refused> refusal = leaseCommands.refusal(ofLease);
            return refusal.isPresent()
                    ? refusal.get()
                    : execute(state.lease(ofLease.lease().value()).orElseThrow(), ofLease);
        }
        if (command instanceof ForceRelease asked) {
            return commands.forceRelease(asked);
        }
        if (command instanceof SetLimit asked) {
            return setLimit(asked);
        }
        if (command instanceof RaiseFeatureLevel asked) {
            return raiseFeatureLevel(asked);
        }
        throw new IllegalArgumentException("unknown command: " + command);
    }

    private Result execute(NaiveLease lease, OfLease command) {
        if (command instanceof ExtendLease asked) {
            return leaseCommands.extend(lease, asked);
        }
        if (command instanceof RevokeLease) {
            return leaseCommands.revoke(lease, this::grantPass);
        }
        if (command instanceof Acquire asked) {
            return commands.acquire(lease, asked);
        }
        if (command instanceof Upgrade asked) {
            return commands.upgrade(lease, asked);
        }
        if (command instanceof Downgrade asked) {
            return commands.downgrade(lease, asked);
        }
        if (command instanceof Describe asked) {
            return commands.describe(lease, asked);
        }
        if (command instanceof Release asked) {
            return commands.release(lease, asked);
        }
        if (command instanceof Cancel asked) {
            return commands.cancel(lease, asked);
        }
        throw new IllegalArgumentException("unknown command: " + command);
    }

    private Result setLimit(SetLimit asked) {
        Limit limit = asked.limit();
        if (asked.value() < limit.lowest()) {
            return new Refused(Refusal.INVALID_ARGUMENT, limit.name(), limit.lowest(), asked.value());
        }
        if (asked.value() > limit.highest()) {
            return new Refused(Refusal.INVALID_ARGUMENT, limit.name(), limit.highest(), asked.value());
        }
        state.limits = state.limits.with(limit, asked.value());
        state.trimHistory();
        return new Result.Changed();
    }

    private Result raiseFeatureLevel(RaiseFeatureLevel asked) {
        if (asked.level() > FEATURE_LEVEL) {
            throw new IllegalStateException(
                    "feature level " + asked.level() + " is above the supported " + FEATURE_LEVEL);
        }
        state.featureLevel = Math.max(state.featureLevel, asked.level());
        return new Result.Changed();
    }

    @Override
    public Applied beginEpoch(long highestTokenSeen, long quarantineMillis) {
        state.events.clear();
        // No entry, hence no wall time to carry.
        state.wallMillis = 0;
        long epochSeen =
                state.has(PlantedBug.EPOCH_OF_TOKEN_IGNORED) ? 0 : highestTokenSeen >>> FencingToken.REVISION_BITS;
        state.epoch = 1 + Math.max(state.epoch, epochSeen);
        state.history.clear();
        long wanted = quarantineMillis;
        if (wanted == LockMachine.LONGEST_LEASE) {
            wanted = state.has(PlantedBug.QUARANTINE_OF_BACKUP_ONLY) ? 0 : state.limit(Limit.TTL_MAX_MILLIS);
            for (NaiveLease lease : state.leases) {
                wanted = Math.max(wanted, Math.max(lease.grantedTtlMillis, lease.endMillis - state.now));
            }
            wanted += state.limit(Limit.LEASE_MARGIN_MILLIS);
        }
        // A quarantine that still runs is part of the backup's state: nothing says that it ends sooner.
        if (wanted > 0) {
            state.quarantineEnd = Math.max(state.quarantineEnd, state.now + wanted);
        }
        state.leases.stream()
                .sorted(Comparator.comparing(lease -> lease.id.value(), Long::compareUnsigned))
                .toList()
                .forEach(lease -> transitions.endLease(lease, EndReason.RESTORED, this::grantPass));
        state.lingering().forEach(transitions::endLingering);
        return new Applied(state.now, state.revision, new long[0], List.of(), List.copyOf(state.events));
    }

    @Override
    public StateImage image() {
        return NaiveImage.of(state);
    }
}
