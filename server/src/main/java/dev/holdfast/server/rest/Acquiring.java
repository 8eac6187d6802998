package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Commands;
import dev.holdfast.server.operation.Derivation;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.request.Requests.Answer;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Takes locks, each with a lease of its own.
 *
 * <p>Lease and request go off together, in one entry. A request that comes to nothing, or whose client
 * hangs up, takes its lease with it. Not so with an {@code Idempotency-Key}, which says that the client will ask again:
 * its place is kept, and a refusal too, until the lease's time is up.
 */
final class Acquiring {
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final long WAITING_RETRY_MILLIS = 1_000;

    private final NodeCore node;
    private final Commands commands;
    private final Derivation derivation;
    private final LeaseRevoker revoker;

    Acquiring(NodeCore node, Commands commands, Derivation derivation, LeaseRevoker revoker) {
        this.node = node;
        this.commands = commands;
        this.derivation = derivation;
        this.revoker = revoker;
    }

    private record Begun(CompletableFuture<Answer> started, Commands.Pending pending) {}

    CompletableFuture<Reply> acquire(Call call, AcquireRequest asked, Optional<String> idempotencyKey) {
        Caller who = call.caller();
        String caller = who.principal();
        if (asked.staleDenial() && idempotencyKey.isEmpty()) {
            Optional<Reply> denial = staleDenial(asked, who);
            if (denial.isPresent()) {
                return CompletableFuture.completedFuture(denial.get());
            }
        }
        Credential credential = idempotencyKey
                .map(key -> Credential.computed(
                        derivation, caller, key, asked.text().get()))
                .orElseGet(Credential::random);
        String principal = credential.principal(caller);
        Command.GrantLease start = asked.start(credential, principal);
        Command.Acquire command = asked.acquire(credential, principal);
        Command.RevokeLease revoke = new Command.RevokeLease(credential.lease(), principal);
        EventLoop loop = call.loop();
        Asked names = RestRefusals.asked(who);
        Begun begun =
                commands.together(() -> new Begun(commands.submit(start, names), commands.decide(command, names)));
        Commands.Pending pending = begun.pending();
        CompletableFuture<Reply> reply = begun.started()
                .thenCombineAsync(
                        pending.answer(),
                        (lease, answer) -> reply(asked, credential, lease.result(), answer, who),
                        loop);
        if (idempotencyKey.isPresent()) {
            call.whenLeft(pending.abandon());
            return reply;
        }
        call.whenLeft(() -> {
            revoker.revoke(revoke, who.flow(), loop);
            pending.abandon().run();
        });
        return reply.whenComplete((answered, failure) -> {
            boolean granted = answered != null && answered.status() == HttpStatus.CREATED.code();
            if (!granted && !call.hasLeft()) {
                revoker.revoke(revoke, who.flow(), loop);
            }
        });
    }

    /** Not for what may be a retry: a node that has not heard of the first attempt would refuse what was granted. */
    private Optional<Reply> staleDenial(AcquireRequest asked, Caller caller) {
        Command.GrantLease start = asked.start(Credential.NOBODYS, caller.principal());
        Command.Acquire command = asked.acquire(Credential.NOBODYS, caller.principal());
        return node.replica()
                .ask(view ->
                        Commands.staleDenial(view, start, command).map(refused -> Denial.of(refused, view, caller)))
                .map(denial -> held(denial, true, caller));
    }

    /**
     * Why a lock cannot be had now.
     *
     * @param owner of the first in the way that the caller may know of
     * @param leftMillis until its lease ends, if nobody renews it; soon if somebody only waits ahead
     */
    private record Denial(Result.Refused refused, String owner, long leftMillis) {
        static Denial of(Result.Refused refused, MachineView view, Caller caller) {
            for (Result.Blocker by : refused.blockers()) {
                if (caller.mayRead(by.key())) {
                    OptionalLong left =
                            by.token() > 0 ? view.grantLeftMillis(by.key(), by.token()) : OptionalLong.empty();
                    return new Denial(refused, by.clientId(), left.orElse(WAITING_RETRY_MILLIS));
                }
            }
            return new Denial(refused, "", WAITING_RETRY_MILLIS);
        }
    }

    private Reply reply(AcquireRequest asked, Credential credential, Result lease, Answer answer, Caller caller) {
        Result result = lease instanceof Result.Refused ? lease : answer.result();
        return switch (result.kind()) {
            case GRANTED ->
                granted(
                        asked,
                        credential,
                        (Result.Granted) result,
                        answer.stamp().now());
            case ENDED ->
                throw RestRefusals.grantEnded(
                        "the lock was granted and has ended since: " + ((Result.Ended) result).reason());
            case REFUSED -> refused(asked, (Result.Refused) result, caller);
            case LEASE_GRANTED,
                    LEASE_REVOKED,
                    QUEUED,
                    RELEASED,
                    ALREADY_RELEASED,
                    DOWNGRADED,
                    DESCRIBED,
                    CANCELLED,
                    CHANGED -> throw new IllegalStateException("no answer for " + result);
        };
    }

    private Reply refused(AcquireRequest asked, Result.Refused refused, Caller caller) {
        return switch (refused.code()) {
            case LOCK_ALREADY_HELD -> held(node.replica().ask(view -> Denial.of(refused, view, caller)), false, caller);
            case TIMEOUT -> timeout(refused, asked);
            case LEASE_EXISTS -> throw RestRefusals.keyReused();
            case LEASE_ENDED -> throw RestRefusals.grantEnded("what was asked for has ended");
            default -> throw Refusals.rejected(refused, RestRefusals.asked(caller));
        };
    }

    private static Reply granted(AcquireRequest asked, Credential credential, Result.Granted granted, long now) {
        LockName name =
                new LockName(granted.holds().get(0).key(), granted.token().value());
        ObjectNode body = Json.object();
        body.put("success", true);
        body.put(LockName.FIELD, name.encode());
        body.put("lockToken", credential.encode());
        JsonMapper.token(body, granted.token().value());
        JsonMapper.resources(body, granted.holds());
        body.put("owner", asked.clientId());
        JsonMapper.expiry(body, granted.leaseEndMillis() - now);
        JsonMapper.holdEnd(body, granted.holdEndMillis(), now);
        return new Reply(
                HttpStatus.CREATED.code(),
                Map.of(HttpHeaderNames.LOCATION, RestEdge.LOCKS + '/' + name.encode()),
                body);
    }

    private static Reply held(Denial denial, boolean stale, Caller caller) {
        Result.Refused refused = denial.refused();
        long left = denial.leftMillis();
        ObjectNode body = Json.error(Refusals.withoutBlockers(refused, RestRefusals.asked(caller)));
        body.put(AcquireRequest.RESOURCE, refused.subject());
        body.put("owner", denial.owner());
        body.put("retryAfter", Reply.secondsUp(left));
        body.put("retryAfterMs", left);
        body.put("stale", stale);
        return new Reply(HttpStatus.CONFLICT.code(), Reply.retryAfter(left), body);
    }

    private static Reply timeout(Result.Refused refused, AcquireRequest asked) {
        ObjectNode body = Json.object();
        body.put("error", ErrorCode.TIMEOUT.name());
        body.put("message", "Could not acquire lock within " + JsonMapper.seconds(asked.waitMillis()) + " seconds");
        body.put("field", refused.subject());
        body.put(AcquireRequest.RESOURCE, refused.subject());
        return Reply.of(HttpStatus.CONFLICT, body);
    }
}
