package dev.holdfast.core.handler;

import dev.holdfast.core.command.Command;
import dev.holdfast.core.deadlock.DeadlockCheck;
import dev.holdfast.core.grant.GrantRule;
import dev.holdfast.core.result.Plan;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.Requests;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;

/** Hands each command to the class that decides it. */
public final class Handlers {
    /** The newest feature level that this code can apply. */
    public static final int SUPPORTED_FEATURE_LEVEL = 1;

    private final LeaseHandler leases;
    private final AcquireHandler acquires;
    private final ModeHandler modes;
    private final DescribeHandler descriptions;
    private final ReleaseHandler releases;
    private final SettingsHandler settings;

    public Handlers(State state, Ledger ledger, Transitions transitions, GrantRule rule) {
        leases = new LeaseHandler(state, ledger, transitions);
        Answers answers = new Answers(transitions, rule);
        ExactlyOnce once = new ExactlyOnce(state, ledger, answers);
        Reentrancy reentrancy = new Reentrancy(state, answers);
        Requests requests = new Requests(state);
        Grants grants = new Grants(state);
        DeadlockCheck deadlocks = new DeadlockCheck(state, transitions);
        Admission admission = new Admission(state, ledger, transitions, rule, deadlocks, answers);
        acquires =
                new AcquireHandler(leases, once, new AcquireCheck(state), reentrancy, requests, admission, transitions);
        modes = new ModeHandler(leases, once, requests, admission, transitions, state, grants);
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

    public Result handle(Command command) {
        if (command instanceof Command.Acquire acquire) {
            return acquires.acquire(acquire);
        } else if (command instanceof Command.Release release) {
            return releases.release(release);
        } else if (command instanceof Command.Cancel cancel) {
            return releases.cancel(cancel);
        } else if (command instanceof Command.GrantLease grant) {
            return leases.grant(grant);
        } else if (command instanceof Command.ExtendLease extend) {
            return leases.extend(extend);
        } else if (command instanceof Command.RevokeLease revoke) {
            return leases.revoke(revoke);
        } else if (command instanceof Command.Upgrade upgrade) {
            return modes.upgrade(upgrade);
        } else if (command instanceof Command.Downgrade downgrade) {
            return modes.downgrade(downgrade);
        } else if (command instanceof Command.Describe describe) {
            return descriptions.describe(describe);
        } else if (command instanceof Command.ForceRelease force) {
            return releases.force(force);
        } else if (command instanceof Command.SetLimit set) {
            return settings.set(set);
        } else if (command instanceof Command.RaiseFeatureLevel raise) {
            return settings.raise(raise, SUPPORTED_FEATURE_LEVEL);
        }
        throw new IllegalStateException("no handler for " + command.getClass().getName());
    }
}
