package dev.holdfast.transcript.player;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.transcript.step.Act;
import dev.holdfast.transcript.step.TranscriptException;
import dev.holdfast.transcript.words.Phrases;
import java.util.List;
import java.util.OptionalLong;

/** Turns what a client does into a command, with all that a client adds: lease, principal, numbers, tokens. */
final class Commands implements Act.Cases<Command> {
    private final Clients clients;

    Commands(Clients clients) {
        this.clients = clients;
    }

    @Override
    public Command openLease(Act.OpenLease act) {
        LeaseId lease = clients.open(act);
        return new Command.GrantLease(
                lease, clients.principalOf(act.name()), act.name(), act.ttlMillis(), act.lockDelayMillis());
    }

    @Override
    public Command renewLease(Act.RenewLease act) {
        throw new IllegalArgumentException("a renewal is no command: " + act);
    }

    @Override
    public Command extendLease(Act.ExtendLease act) {
        return new Command.ExtendLease(
                lease(act.caller()),
                principal(act.caller()),
                act.byMillis(),
                act.ttlMillis(),
                act.number().orElse(0));
    }

    @Override
    public Command closeLease(Act.CloseLease act) {
        return new Command.RevokeLease(lease(act.caller()), principal(act.caller()));
    }

    @Override
    public Command downgrade(Act.Downgrade act) {
        Act.Caller caller = act.caller();
        long token = clients.token(caller.name(), act.key(), act.token());
        return new Command.Downgrade(lease(caller), principal(caller), act.key(), token);
    }

    @Override
    public Command describe(Act.Describe act) {
        Act.Caller caller = act.caller();
        long token = clients.token(caller.name(), act.key(), act.token());
        return new Command.Describe(lease(caller), principal(caller), act.key(), token, Metadata.of(act.metadata()));
    }

    @Override
    public Command cancelRequest(Act.CancelRequest act) {
        return cancel(act.caller(), act.number(), act.acknowledging());
    }

    @Override
    public Command stopWaiting(Act.StopWaiting act) {
        return cancel(act.caller(), latestRequest(act), OptionalLong.empty());
    }

    @Override
    public Command take(Act.Take act) {
        long token = clients.token(act.holder(), act.key(), act.token());
        return new Command.ForceRelease(act.key(), token, act.operator(), act.reason());
    }

    @Override
    public Command setLimit(Act.SetLimit act) {
        return new Command.SetLimit(act.limit(), act.value());
    }

    @Override
    public Command raiseFeatureLevel(Act.RaiseFeatureLevel act) {
        return new Command.RaiseFeatureLevel(act.level());
    }

    /** What a lock would be as a command, without taking a number for it. */
    Command.Acquire planned(Act.Lock lock) {
        LeaseId lease = lease(lock.caller());
        long number = lock.numbering().number().orElse(clients.book(lease).nextNumber());
        return acquire(lock, lease, number, 0);
    }

    /** Tells the client the answer to its command. */
    void answered(Command command, Result result) {
        switch (command.kind()) {
            case ACQUIRE -> {
                Command.Acquire acquire = (Command.Acquire) command;
                clients.book(acquire.lease()).answered(acquire.seq(), result);
            }
            case UPGRADE -> {
                Command.Upgrade upgrade = (Command.Upgrade) command;
                clients.book(upgrade.lease()).answered(upgrade.seq(), result);
            }
            case CANCEL -> {
                Command.Cancel cancel = (Command.Cancel) command;
                if (result instanceof Result.Cancelled) {
                    clients.book(cancel.lease()).cancelled(cancel.seq());
                }
            }
            case GRANT_LEASE,
                    EXTEND_LEASE,
                    REVOKE_LEASE,
                    DOWNGRADE,
                    DESCRIBE,
                    RELEASE,
                    FORCE_RELEASE,
                    SET_LIMIT,
                    RAISE_FEATURE_LEVEL -> {}
        }
    }

    @Override
    public Command lock(Act.Lock lock) {
        LeaseId lease = lease(lock.caller());
        RequestBook book = clients.book(lease);
        long number = lock.numbering().number().orElse(book.nextNumber());
        long acknowledged = acknowledged(book, number, lock.numbering().acknowledging());
        book.sent(
                number,
                lock.items().stream().map(Item::key).toList(),
                lock.numbering().answerLost());
        return acquire(lock, lease, number, acknowledged);
    }

    private Command.Acquire acquire(Act.Lock lock, LeaseId lease, long number, long acknowledged) {
        return new Command.Acquire(
                lease,
                principal(lock.caller()),
                number,
                acknowledged,
                lock.items(),
                lock.owner(),
                lock.thread(),
                lock.waitMillis(),
                lock.maxHoldMillis(),
                lock.leaseCoversWait(),
                lock.purpose(),
                Metadata.of(lock.metadata()));
    }

    @Override
    public Command upgrade(Act.Upgrade upgrade) {
        Act.Caller caller = upgrade.caller();
        LeaseId lease = lease(caller);
        RequestBook book = clients.book(lease);
        long token = clients.token(caller.name(), upgrade.key(), upgrade.token());
        long number = upgrade.numbering().number().orElse(book.nextNumber());
        long acknowledged = acknowledged(book, number, upgrade.numbering().acknowledging());
        book.sent(number, List.of(upgrade.key()), upgrade.numbering().answerLost());
        return new Command.Upgrade(
                lease,
                principal(caller),
                number,
                acknowledged,
                upgrade.key(),
                token,
                upgrade.thread(),
                upgrade.waitMillis());
    }

    @Override
    public Command release(Act.Release release) {
        Act.Caller caller = release.caller();
        LeaseId lease = lease(caller);
        long acknowledged = release.acknowledging().orElse(clients.book(lease).acknowledgedBelow());
        long token = clients.token(caller.name(), release.key(), release.token());
        return new Command.Release(lease, principal(caller), release.key(), token, acknowledged);
    }

    private Command cancel(Act.Caller caller, long number, OptionalLong acknowledging) {
        LeaseId lease = lease(caller);
        RequestBook book = clients.book(lease);
        return new Command.Cancel(lease, principal(caller), number, acknowledged(book, number, acknowledging));
    }

    /** A client that sends a request does not claim to have its answer. */
    private static long acknowledged(RequestBook book, long number, OptionalLong said) {
        long answered = book.acknowledgedBelow();
        return said.orElse(number < 1 ? answered : Math.min(answered, number));
    }

    private long latestRequest(Act.StopWaiting stop) {
        LockKey key = stop.key();
        return clients.book(lease(stop.caller()))
                .latestFor(key)
                .orElseThrow(() -> new TranscriptException(
                        stop.caller().name() + " never asked for " + Phrases.key(key) + " by a numbered request"));
    }

    private LeaseId lease(Act.Caller caller) {
        return clients.lease(caller);
    }

    private String principal(Act.Caller caller) {
        return clients.principal(caller);
    }
}
