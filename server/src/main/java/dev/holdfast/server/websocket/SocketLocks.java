package dev.holdfast.server.websocket;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.Requests.Answer;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a known client asks for on its connection, and what becomes of it. Confined to the connection's event loop. */
final class SocketLocks {
    static final int MAX_LOCKS = 1_000;

    /** Releases without an answer, above which no further message is read. */
    private static final int MAX_RELEASES = 256;

    private final SocketEdge.Parts parts;
    private final Caller caller;
    private final Asked names;
    private final EventLoop loop;
    private final Consumer<ObjectNode> out;
    private final Runnable progressed;
    private final Map<Name, SocketLock> locks = new HashMap<>();
    private int releases;
    private long pauseNanos;

    /** What a lock is known by on a connection. */
    private record Name(String clientId, LockKey key) {}

    /**
     * Nothing yet.
     *
     * @param out takes what is to be sent
     * @param progressed told when more may be read than before
     */
    SocketLocks(SocketEdge.Parts parts, Caller caller, EventLoop loop, Consumer<ObjectNode> out, Runnable progressed) {
        this.parts = parts;
        this.caller = caller;
        this.names = new Asked("clientId", 0, "key", Map.of("ttlMillis", "ttl"), caller);
        this.loop = loop;
        this.out = out;
        this.progressed = progressed;
    }

    void handle(byte[] message) {
        LockRequest asked = null;
        try {
            asked = LockRequest.read(new Fields(Json.parse(message)), parts.bounds());
            if (asked.command() == LockRequest.Command.ACQUIRE) {
                caller.spend();
                // Before anything begins: the lease is asked for together with the lock.
                caller.require(Verb.LOCK, asked.key());
                acquire(lock(asked), asked);
            } else {
                // Giving back is never limited, and takes no more than having taken.
                release(lock(asked), asked);
            }
        } catch (Rejected rejected) {
            pauseNanos = caller.refused();
            refuse(asked, rejected.rejection());
        }
    }

    private SocketLock lock(LockRequest asked) {
        Name name = new Name(asked.clientId(), asked.key());
        SocketLock known = locks.get(name);
        if (known != null) {
            return known;
        }
        locks.values().removeIf(lock -> locks.size() >= MAX_LOCKS && !lock.isWaiting());
        if (locks.size() >= MAX_LOCKS) {
            throw Rejected.quota("locks waited for on a connection", MAX_LOCKS, locks.size() + 1L);
        }
        SocketLock made = new SocketLock(parts, names, asked, loop);
        locks.put(name, made);
        return made;
    }

    private void acquire(SocketLock lock, LockRequest asked) {
        if (lock.isWaiting()) {
            return; // The answer to the first request is the answer to this one.
        }
        var unused = lock.acquire(asked.ttlMillis()).whenComplete((result, failure) -> {
            if (failure != null) {
                refuse(asked, parts.failures().rejection(failure));
            } else {
                decided(asked, result);
            }
        });
    }

    private void decided(LockRequest asked, Result result) {
        switch (result.kind()) {
            case GRANTED -> granted(asked, (Result.Granted) result);
            case REFUSED -> refuse(asked, Refusals.of((Result.Refused) result, names));
            case LEASE_GRANTED,
                    LEASE_REVOKED,
                    QUEUED,
                    RELEASED,
                    ALREADY_RELEASED,
                    DOWNGRADED,
                    DESCRIBED,
                    CANCELLED,
                    ENDED,
                    CHANGED -> {}
        }
    }

    private void granted(LockRequest asked, Result.Granted granted) {
        ObjectNode token = Json.object();
        token.put("key", asked.key().toString());
        token.put("value", granted.token().value());
        token.put("valueString", Long.toString(granted.token().value()));
        ObjectNode reply = Json.object().put("success", true);
        reply.set("fencingToken", token);
        out.accept(reply);
    }

    private void release(SocketLock lock, LockRequest asked) {
        CompletableFuture<Optional<Answer>> released = lock.release();
        releases++;
        var unused = released.whenCompleteAsync(
                (answer, failure) -> {
                    releases--;
                    if (failure != null) {
                        refuse(asked, parts.failures().rejection(failure));
                    } else {
                        released(asked, answer);
                    }
                    progressed.run();
                },
                loop);
    }

    private void released(LockRequest asked, Optional<Answer> answer) {
        Result result = answer.map(Answer::result).orElse(new Result.AlreadyReleased());
        if (result instanceof Result.Refused refused && refused.code() != Refusal.LEASE_NOT_FOUND) {
            refuse(asked, Refusals.of(refused, names));
            return;
        }
        ObjectNode reply = Json.object().put("success", true);
        reply.put("key", asked.key().toString());
        reply.put("clientId", asked.clientId());
        reply.put("outcome", outcome(result));
        out.accept(reply);
    }

    private static String outcome(Result result) {
        return switch (result.kind()) {
            case RELEASED -> "RELEASED";
            case CANCELLED -> "LEFT_QUEUE";
            case LEASE_GRANTED,
                    LEASE_REVOKED,
                    GRANTED,
                    QUEUED,
                    ALREADY_RELEASED,
                    DOWNGRADED,
                    DESCRIBED,
                    ENDED,
                    CHANGED,
                    REFUSED -> "ALREADY_RELEASED";
        };
    }

    private void refuse(@Nullable LockRequest asked, Rejection rejection) {
        ObjectNode reply = SocketConnection.refusal(rejection);
        if (asked != null) {
            reply.put("key", asked.key().toString());
            reply.put("clientId", asked.clientId());
        }
        out.accept(reply);
    }

    boolean takesMore() {
        return releases < MAX_RELEASES;
    }

    /** How long to wait before more is read, for what was refused since the last call. */
    long pauseNanos() {
        long pause = pauseNanos;
        pauseNanos = 0;
        return pause;
    }

    /** The connection has ended; the leases live on until their time is up. */
    void close() {
        locks.values().forEach(SocketLock::close);
        locks.clear();
    }
}
