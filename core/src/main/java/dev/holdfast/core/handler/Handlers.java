package dev.holdfast.core.handler;

import dev.holdfast.core.command.Command;
import dev.holdfast.core.deadlock.DeadlockCheck;
import dev.holdfast.core.grant.GrantRule;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.LeaseEnds;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.Requests;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;

/** Hands each command to the class that decides it. */
public final class Handlers implements Command.Cases<Result> {
    /** The newest feature level that this code can apply. */
    public static final int SUPPORTED_FEATURE_LEVEL = 1;

    private final LeaseHandler leases;
    private final AcquireHandler acquires;
    private final ModeHandler modes;
    private final DescribeHandler descriptions;
    private final ReleaseHandler releases;
    private final SettingsHandler settings;

    public Handlers(State state, Ledger ledger, Transitions transitions, LeaseEnds ends, GrantRule rule) {
        Answers answers = new Answers(transitions, rule);
        ExactlyOnce once = new ExactlyOnce(state, ledger, answers);
        leases = new LeaseHandler(state, ledger, ends, once);
        Reentrancy reentrancy = new Reentrancy(state, answers);
        Requests requests = new Requests(state);
        Grants grants = new Grants(state);
        DeadlockCheck deadlocks = new DeadlockCheck(state, transitions);
        Admission admission = new Admission(state, ledger, transitions, rule, deadlocks, answers);
        AcquireCheck check = new AcquireCheck(state);
        acquires = new AcquireHandler(leases, once, check, reentrancy, requests, admission, transitions);
        modes = new ModeHandler(leases, once, check, requests, admission, transitions, state, grants);
        descriptions = new DescribeHandler(state, leases, transitions, grants);
        releases = new ReleaseHandler(state, ledger, leases, once, reentrancy, transitions, grants);
        settings = new SettingsHandler(state, ledger);
    }

    public LeaseHandler leases() {
        return leases;
    }

    public Plan plan(Command.Acquire command) {
        return acquires.plan(command);
    }

    public Plan plan(Command.GrantLease start, Command.Acquire command) {
        return acquires.plan(start, command);
    }

    @Override
    public Result acquire(Command.Acquire command) {
        return acquires.acquire(command);
    }

    @Override
    public Result release(Command.Release command) {
        return releases.release(command);
    }

    @Override
    public Result cancel(Command.Cancel command) {
        return releases.cancel(command);
    }

    @Override
    public Result grantLease(Command.GrantLease command) {
        return leases.grant(command);
    }

    @Override
    public Result extendLease(Command.ExtendLease command) {
        return leases.extend(command);
    }

    @Override
    public Result revokeLease(Command.RevokeLease command) {
        return leases.revoke(command);
    }

    @Override
    public Result upgrade(Command.Upgrade command) {
        return modes.upgrade(command);
    }

    @Override
    public Result downgrade(Command.Downgrade command) {
        return modes.downgrade(command);
    }

    @Override
    public Result describe(Command.Describe command) {
        return descriptions.describe(command);
    }

    @Override
    public Result forceRelease(Command.ForceRelease command) {
        return releases.force(command);
    }

    @Override
    public Result setLimit(Command.SetLimit command) {
        return settings.set(command);
    }

    @Override
    public Result raiseFeatureLevel(Command.RaiseFeatureLevel command) {
        return settings.raise(command, SUPPORTED_FEATURE_LEVEL);
    }
}
