package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpStatus;
import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.query.GrantEnd;
import dev.holdfast.core.query.GrantView;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests.Answer;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Gives locks back and prolongs them, for those who know their secret. */
final class ReleaseAndRenew {
    static final String LOCK_TOKEN = "X-Lock-Token";

    private final NodeCore node;
    private final Commands commands;
    private final LeaseRevoker revoker;

    ReleaseAndRenew(NodeCore node, Commands commands, LeaseRevoker revoker) {
        this.node = node;
        this.commands = commands;
        this.revoker = revoker;
    }

    /** One who claims to hold a lock. */
    record Claim(LockName name, Credential credential, Caller caller, EventLoop loop) {
        /** On whose behalf the machine is asked: who knows the secret. */
        String principal() {
            return credential.principal(caller.principal());
        }

        Asked names() {
            return RestRefusals.asked(caller);
        }

        /** Whether a grant of this lease is the one that the secret is of, if it is the right secret. */
        boolean isOf(LeaseId lease) {
            return lease.equals(credential.lease());
        }

        boolean mayRead() {
            return caller.mayRead(name.key());
        }

        static Claim of(String lockId, Optional<String> lockToken, Call call) {
            LockName name = LockName.parse(lockId);
            String given =
                    lockToken.orElseThrow(() -> Rejected.invalid(LOCK_TOKEN, "is missing; it came with the lock"));
            Credential credential = Credential.parse(given).orElseThrow(RestRefusals::notHolder);
            return new Claim(name, credential, call.caller(), call.loop());
        }
    }

    CompletableFuture<Reply> release(Claim claim) {
        return find(claim).thenComposeAsync(held -> release(claim, held), claim.loop());
    }

    private CompletableFuture<Reply> release(Claim claim, Optional<GrantView> held) {
        LockName name = claim.name();
        Command.Release release =
                new Command.Release(claim.credential().lease(), claim.principal(), name.key(), name.token(), 0);
        CompletableFuture<Answer> answered = commands.together(() -> {
            CompletableFuture<Answer> asked = commands.submit(release, claim.names());
            if (held.filter(grant -> claim.isOf(grant.lease())).isPresent()) {
                // The lease is there for this lock alone, and ends with it however the release is answered.
                revoker.revokeAfter(
                        asked,
                        new Command.RevokeLease(release.lease(), release.principal()),
                        claim.caller().flow(),
                        claim.loop());
            }
            return asked;
        });
        return answered.thenComposeAsync(
                answer -> {
                    if (answer.result() instanceof Result.Released) {
                        long now = answer.stamp().now();
                        long since = held.map(GrantView::sinceMillis).orElse(now);
                        return done(released(claim, now - since, false));
                    }
                    return notHeld(claim, answer, true);
                },
                claim.loop());
    }

    private static Reply released(Claim claim, long heldMillis, boolean before) {
        ObjectNode body = Json.object();
        body.put("success", true);
        body.put(LockName.FIELD, claim.name().encode());
        JsonMapper.token(body, claim.name().token());
        body.put("holdDuration", heldMillis / 1_000.0);
        body.put("alreadyReleased", before);
        return Reply.of(HttpStatus.OK, body);
    }

    /** Prolongs the lease, then asks once more for what it was made for: the answer tells whether that still stands. */
    CompletableFuture<Reply> renew(Claim claim, Renewal renewal) {
        return find(claim)
                .thenComposeAsync(
                        held -> {
                            if (held.isEmpty()) {
                                return askAgain(claim)
                                        .thenComposeAsync(answer -> notHeld(claim, answer, false), claim.loop());
                            }
                            if (!claim.isOf(held.get().lease())) {
                                throw RestRefusals.notHolder();
                            }
                            Command.ExtendLease extension = renewal.of(claim);
                            Asking asking = commands.together(
                                    () -> new Asking(commands.submit(extension, claim.names()), askAgain(claim)));
                            return asking.extended()
                                    .thenComposeAsync(
                                            lease -> answered(claim, extension, lease, asking.again()), claim.loop());
                        },
                        claim.loop());
    }

    /** Two that are on their way. */
    private record Asking(CompletableFuture<Answer> extended, CompletableFuture<Answer> again) {}

    private CompletableFuture<Reply> answered(
            Claim claim, Command.ExtendLease extension, Answer lease, CompletableFuture<Answer> again) {
        CompletableFuture<Reply> reply =
                again.thenComposeAsync(grant -> renewed(claim, extension, lease, grant), claim.loop());
        // The lease lasts longer now: whatever fails from here on must not say that nothing was done.
        return lease.result().kind() == Result.Kind.LEASE_GRANTED
                ? reply.exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(RequestFailure.afterSomeEffect(failure)))
                : reply;
    }

    private CompletableFuture<Answer> askAgain(Claim claim) {
        // Not a new request, and for what is held already: nothing to be allowed.
        return node.requests()
                .submit(
                        claim.caller().flow(),
                        Command.Acquire.of(
                                claim.credential().lease(),
                                claim.principal(),
                                AcquireRequest.SEQ,
                                0,
                                List.of(Item.exclusive(claim.name().key()))));
    }

    private CompletableFuture<Reply> renewed(Claim claim, Command.ExtendLease extension, Answer lease, Answer grant) {
        return grant.result() instanceof Result.Granted granted
                ? prolonged(claim, extension, lease, granted.holdEndMillis())
                : notHeld(claim, grant, false);
    }

    private CompletableFuture<Reply> prolonged(
            Claim claim, Command.ExtendLease extension, Answer lease, long holdEndMillis) {
        if (lease.result() instanceof Result.LeaseGranted extended) {
            if (extended.asked() != extension.asked()) {
                throw RestRefusals.keyReused();
            }
            ObjectNode body = Json.object();
            body.put("success", true);
            body.put(LockName.FIELD, claim.name().encode());
            JsonMapper.token(body, claim.name().token());
            // The answer of a repeated request is that of the first, and the lease may since have been renewed.
            long now = lease.stamp().now();
            long end = holdEndMillis > 0 ? Math.min(holdEndMillis, extended.endMillis()) : extended.endMillis();
            long left = Math.max(0, end - now);
            body.put("newExpiresAt", JsonMapper.inMillis(left));
            body.put("expiresInMs", left);
            JsonMapper.holdEnd(body, holdEndMillis, now);
            body.set("totalTtl", JsonMapper.seconds(extended.ttlMillis()));
            return done(Reply.of(HttpStatus.OK, body));
        }
        return notHeld(claim, lease, false);
    }

    /**
     * The grant, unless it is another's and not the caller's to see. The common case is that this node knows; one that
     * is behind asks the leader how far it should be, and so does one that knows another's: how long the answer takes
     * is not to tell of it.
     */
    private CompletableFuture<Optional<GrantView>> find(Claim claim) {
        Optional<GrantView> known = node.replica()
                .ask(view -> view.grant(claim.name().key(), claim.name().token()))
                .filter(grant -> claim.isOf(grant.lease()));
        return known.isPresent()
                ? CompletableFuture.completedFuture(known)
                : node.reads()
                        .read(
                                claim.caller().flow(),
                                false,
                                view -> view.grant(
                                        claim.name().key(), claim.name().token()))
                        .on(claim.loop())
                        .thenApply(
                                found -> found.value().filter(grant -> claim.isOf(grant.lease()) || claim.mayRead()));
    }

    /**
     * Why nothing was done: told exactly to those who know the secret, and to nobody else. One who may not read the key
     * either is answered alike whether somebody holds the lock, held it, or never did.
     */
    private CompletableFuture<Reply> notHeld(Claim claim, Answer answer, boolean releasing) {
        Result result = answer.result();
        return switch (result.kind()) {
            case REFUSED -> refused(claim, (Result.Refused) result, releasing);
            case ALREADY_RELEASED, ENDED -> ended(claim, releasing);
            // The lease holds something, but by another token.
            case GRANTED -> throw RestRefusals.notHolder();
            case LEASE_GRANTED, LEASE_REVOKED, QUEUED, RELEASED, DOWNGRADED, DESCRIBED, CANCELLED, CHANGED ->
                throw new IllegalStateException("no answer for " + result);
        };
    }

    private CompletableFuture<Reply> refused(Claim claim, Result.Refused refused, boolean releasing) {
        return switch (refused.code()) {
            case LEASE_ENDED -> ended(claim, releasing);
            case LEASE_NOT_FOUND -> {
                if (!claim.mayRead()) {
                    throw RestRefusals.notHolder();
                }
                yield find(claim).thenApply(held -> {
                    throw held.isPresent() ? RestRefusals.notHolder() : LockName.notFound();
                });
            }
            case NOT_HOLDER -> {
                if (claim.mayRead()) {
                    throw RestRefusals.notHolder();
                }
                yield ended(claim, releasing);
            }
            default ->
                throw refused.code() == Refusal.INVALID_ARGUMENT
                                && refused.subject().equals("token")
                        ? LockName.notFound()
                        : Refusals.rejected(refused, RestRefusals.asked(claim.caller()));
        };
    }

    /** A release that is repeated is answered like the first one, as long as the history has it. */
    private CompletableFuture<Reply> ended(Claim claim, boolean releasing) {
        return node.reads()
                .read(
                        claim.caller().flow(),
                        false,
                        view -> view.grantEnd(claim.name().token()))
                .on(claim.loop())
                .thenApply(found -> {
                    // How another's ended is not for the bearer of this secret.
                    Optional<GrantEnd> end = found.value().filter(each -> claim.isOf(each.lease()));
                    EndReason reason = end.map(GrantEnd::reason).orElse(EndReason.LEASE_EXPIRED);
                    // A lease ends by request only with its release, or when its client had left before.
                    if (releasing && (reason == EndReason.RELEASED || reason == EndReason.LEASE_REVOKED)) {
                        return released(claim, end.orElseThrow().heldMillis(), true);
                    }
                    throw reason == EndReason.LEASE_EXPIRED
                            ? RestRefusals.expired()
                            : RestRefusals.grantEnded("the lock has ended: " + reason);
                });
    }

    private static CompletableFuture<Reply> done(Reply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
