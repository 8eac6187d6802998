package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Permits;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.GrantView;
import dev.holdfast.core.query.LockView;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.watch.KeyEvent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** Writes what the machine knows as JSON. */
final class JsonMapper {
    private static final long MILLIS_PER_SECOND = 1_000;

    private JsonMapper() {}

    /** A token is larger than what some JSON readers can keep exactly, so it is there as a text too. */
    static void token(ObjectNode body, long token) {
        body.put("fencingToken", token);
        body.put("fencingTokenString", Long.toString(token));
    }

    /** For people, by this node's wall clock; programs count from the answer. */
    static void expiry(ObjectNode body, long leftMillis) {
        body.put("expiresAt", inMillis(leftMillis));
        body.put("expiresInMs", Math.max(0, leftMillis));
    }

    /** When it ends even if it is renewed, if ever. */
    static void holdEnd(ObjectNode body, long holdEndMillis, long now) {
        if (holdEndMillis > 0) {
            body.put("holdEndsAt", inMillis(holdEndMillis - now));
        }
    }

    static String inMillis(long millis) {
        return Instant.ofEpochMilli(System.currentTimeMillis() + millis).toString();
    }

    static JsonNode seconds(long millis) {
        return millis % MILLIS_PER_SECOND == 0
                ? LongNode.valueOf(millis / MILLIS_PER_SECOND)
                : DecimalNode.valueOf(BigDecimal.valueOf(millis, 3));
    }

    static void resources(ObjectNode body, List<Hold> holds) {
        body.put(AcquireRequest.RESOURCE, holds.get(0).key().toString());
        ArrayNode resources = body.putArray("resources");
        holds.forEach(hold -> hold(resources.addObject(), hold));
    }

    private static ObjectNode hold(ObjectNode body, Hold hold) {
        body.put(AcquireRequest.RESOURCE, hold.key().toString());
        body.put("kind", hold.kind().name());
        body.put("mode", hold.mode().name());
        Permits permits = hold.permits();
        if (permits.count() > 0) {
            body.put("permits", permits.count());
        }
        if (permits.areHeld()) {
            body.put("slot", permits.first(0));
            ArrayNode slots = body.putArray("slots");
            for (int range = 0; range < permits.rangeCount(); range++) {
                slots.addArray().add(permits.first(range)).add(permits.last(range));
            }
        }
        return body;
    }

    static ObjectNode grant(LockName name, GrantView grant, List<Hold> visible) {
        ObjectNode body = Json.object();
        body.put(LockName.FIELD, name.encode());
        token(body, name.token());
        resources(body, visible);
        body.put("owner", grant.clientId());
        body.set("heldFor", seconds(grant.ageMillis()));
        expiry(body, grant.leftMillis());
        body.put("purpose", grant.purpose());
        body.put("metadata", grant.metadata().toString());
        return body;
    }

    static ObjectNode lock(LockView view) {
        ObjectNode body = Json.object();
        body.put(AcquireRequest.RESOURCE, view.key().toString());
        body.put("held", view.holderCount() > 0);
        body.put("capacity", view.capacity());
        body.put("createRevision", view.createRevision());
        body.put("modRevision", view.modRevision());
        body.put("version", view.version());
        ArrayNode holders = body.putArray("holders");
        view.holders().forEach(holder -> holder(holders.addObject(), holder));
        body.put("holderCount", view.holderCount());
        body.put("permitsTaken", view.permitsTaken());
        body.put("waiterCount", view.waiterCount());
        ArrayNode waiters = body.putArray("waiters");
        view.waiters().forEach(waiter -> waiter(waiters.addObject(), waiter));
        return body;
    }

    private static void holder(ObjectNode body, LockView.Holder holder) {
        body.put(LockName.FIELD, new LockName(holder.hold().key(), holder.token()).encode());
        token(body, holder.token());
        hold(body, holder.hold()).put("owner", holder.clientId());
        body.set("heldFor", seconds(holder.ageMillis()));
        expiry(body, holder.leaseLeftMillis());
        body.put("lingering", holder.lingering());
        body.put("purpose", holder.purpose());
        body.put("metadata", holder.metadata().toString());
    }

    private static void waiter(ObjectNode body, LockView.Waiter waiter) {
        body.put("owner", waiter.clientId());
        body.put("revision", waiter.revision());
        hold(body, waiter.wants()).put("permits", waiter.wants().permits().count());
        body.set("waitingFor", seconds(waiter.ageMillis()));
        body.put("purpose", waiter.purpose());
        body.put("metadata", waiter.metadata().toString());
    }

    static ObjectNode event(KeyEvent event) {
        ObjectNode body = Json.object();
        KeyEvent.State state = event.state();
        body.put("type", event.what().type().name());
        body.put("what", event.what().name());
        body.put("revision", event.revision());
        body.put("at", Instant.ofEpochMilli(event.wallMillis()).toString());
        body.put(AcquireRequest.RESOURCE, state.hold().key().toString());
        body.put("owner", state.holder());
        body.put("kind", state.hold().kind().name());
        body.put("mode", state.hold().mode().name());
        if (state.token() != null) {
            token(body, state.token().value());
            body.put("purpose", state.purpose());
            body.put("metadata", state.metadata().toString());
        }
        if (event.reason() != null) {
            body.put("reason", reason(event.reason()));
            body.put("detail", event.detail());
        }
        return body;
    }

    /** As the protocol has always called them. */
    private static String reason(EndReason reason) {
        return switch (reason) {
            case RELEASED -> "RELEASED";
            case CANCELLED -> "END_CANCELLED";
            case TIMEOUT -> "WAIT_TIMEOUT";
            case LEASE_EXPIRED -> "EXPIRED";
            case LEASE_REVOKED -> "REVOKED";
            case MAX_HOLD -> "MAX_HOLD";
            case FORCED -> "FORCED";
            case RESTORED -> "RESTORED";
            case GRANT_ENDED -> "UPGRADED_GRANT_ENDED";
        };
    }

    static ObjectNode step(Explanation.Step step) {
        ObjectNode body = Json.object();
        body.put("waiter", step.waiter());
        body.put("waiterRevision", step.waiterRevision());
        body.put(AcquireRequest.RESOURCE, step.key().toString());
        body.put("how", step.how().name());
        body.put("blocker", step.blocker());
        if (step.blockerToken() > 0) {
            token(body, step.blockerToken());
        }
        body.set("since", seconds(step.ageMillis()));
        body.put("leaseLeftMs", step.leaseLeftMillis());
        body.put("purpose", step.purpose());
        return body;
    }

    /** Those in the way, but for those on keys that are none of the caller's business. */
    static void blockers(ObjectNode body, List<Result.Blocker> blockers, Caller caller) {
        ArrayNode array = body.putArray("blockers");
        for (Result.Blocker blocker : blockers) {
            if (!caller.mayRead(blocker.key())) {
                continue;
            }
            ObjectNode element = array.addObject();
            element.put(AcquireRequest.RESOURCE, blocker.key().toString());
            element.put("owner", blocker.clientId());
            if (blocker.token() > 0) {
                token(element, blocker.token());
            }
        }
    }
}
