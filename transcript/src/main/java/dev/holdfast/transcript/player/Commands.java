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
final class Commands {
    private final Clients clients;

    Commands(Clients clients) {
        this.clients = clients;
    }

    Command of(Act act) {
        if (act instanceof Act.Lock lock) {
            return sent(lock);
        } else if (act instanceof Act.Release release) {
            return release(release);
        } else if (act instanceof Act.OpenLease open) {
            LeaseId lease = clients.open(open);
            return new Command.GrantLease(
                    lease, clients.principalOf(open.name()), open.name(), open.ttlMillis(), open.lockDelayMillis());
        } else if (act instanceof Act.ExtendLease extend) {
            return new Command.ExtendLease(lease(extend.caller()), principal(extend.caller()), extend.byMillis());
        } else if (act instanceof Act.CloseLease close) {
            return new Command.RevokeLease(lease(close.caller()), principal(close.caller()));
        } else if (act instanceof Act.Upgrade upgrade) {
            return upgrade(upgrade);
        } else if (act instanceof Act.Downgrade downgrade) {
            Act.Caller caller = downgrade.caller();
            long token = clients.token(caller.name(), downgrade.key(), downgrade.token());
            return new Command.Downgrade(lease(caller), principal(caller), downgrade.key(), token);
        } else if (act instanceof Act.Describe describe) {
            Act.Caller caller = describe.caller();
            long token = clients.token(caller.name(), describe.key(), describe.token());
            return new Command.Describe(
                    lease(caller), principal(caller), describe.key(), token, Metadata.of(describe.metadata()));
        } else if (act instanceof Act.CancelRequest cancel) {
            return cancel(cancel.caller(), cancel.number(), cancel.acknowledging());
        } else if (act instanceof Act.StopWaiting stop) {
            return cancel(stop.caller(), latestRequest(stop), OptionalLong.empty());
        } else if (act instanceof Act.Take take) {
            long token = clients.token(take.holder(), take.key(), take.token());
            return new Command.ForceRelease(take.key(), token, take.operator(), take.reason());
        } else if (act instanceof Act.SetLimit set) {
            return new Command.SetLimit(set.limit(), set.value());
        } else if (act instanceof Act.RaiseFeatureLevel raise) {
            return new Command.RaiseFeatureLevel(raise.level());
        }
        throw new IllegalArgumentException("no command for " + act);
    }

    /** Who is answered. */
    static String speaker(Act act) {
        if (act instanceof Act.OpenLease open) {
            return open.name();
        } else if (act instanceof Act.Take take) {
            return take.operator();
        }
        return act instanceof Act.OfLease ofLease ? ofLease.caller().name() : "the operator";
    }

    /** What a lock would be as a command, without taking a number for it. */
    Command.Acquire planned(Act.Lock lock) {
        LeaseId lease = lease(lock.caller());
        long number = lock.numbering().number().orElse(clients.book(lease).nextNumber());
        return acquire(lock, lease, number, 0);
    }

    /** Tells the client the answer to its command. */
    void answered(Command command, Result result) {
        if (command instanceof Command.Acquire acquire) {
            clients.book(acquire.lease()).answered(acquire.seq(), result);
        } else if (command instanceof Command.Upgrade upgrade) {
            clients.book(upgrade.lease()).answered(upgrade.seq(), result);
        } else if (command instanceof Command.Cancel cancel && result instanceof Result.Cancelled) {
            clients.book(cancel.lease()).cancelled(cancel.seq());
        }
    }

    private Command sent(Act.Lock lock) {
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

    private Command upgrade(Act.Upgrade upgrade) {
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

    private Command release(Act.Release release) {
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
