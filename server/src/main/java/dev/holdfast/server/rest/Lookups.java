package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpStatus;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.GrantView;
import dev.holdfast.core.query.LockView;
import dev.holdfast.core.query.Page;
import dev.holdfast.core.result.Plan;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Questions;
import dev.holdfast.server.operation.Refusals;
import dev.holdfast.server.read.Reads.Question;
import dev.holdfast.server.request.Rejection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers the requests that change nothing. Nobody is shown a key that they may not read. */
final class Lookups {
    private static final String STALE = "stale";
    private static final String LIMIT = "limit";
    private static final String BEFORE = "before";

    private final NodeCore node;
    private final Questions questions;
    private final Bounds bounds;

    Lookups(NodeCore node, Bounds bounds) {
        this.node = node;
        this.questions = new Questions(node.reads(), bounds);
        this.bounds = bounds;
    }

    /** One grant, by its id. */
    CompletableFuture<Reply> grant(Call call) {
        call.expect(Set.of(STALE));
        LockName name = LockName.parse(call.part(LockName.FIELD));
        Caller caller = call.caller();
        caller.require(Verb.READ, name.key());
        return answer(
                call,
                node.reads().read(call.caller().flow(), call.flag(STALE), view -> view.grant(name.key(), name.token())),
                found -> {
                    GrantView grant = found.orElseThrow(LockName::notFound);
                    List<Hold> visible = grant.holds().stream()
                            .filter(hold -> caller.mayRead(hold.key()))
                            .toList();
                    return JsonMapper.grant(name, grant, visible);
                });
    }

    /** Keys in use, a page at a time. */
    CompletableFuture<Reply> list(Call call) {
        call.expect(Set.of("prefix", "from", LIMIT, STALE));
        String prefix = bounds.text("prefix", call.parameter("prefix").orElse(""), Limit.KEY_BYTES);
        Optional<LockKey> from = call.parameter("from").map(text -> bounds.key("from", text));
        return answer(call, questions.locks(prefix, from, limit(call), call.flag(STALE), call.caller()), Lookups::page);
    }

    private static int limit(Call call) {
        return (int) call.number(LIMIT, Questions.DEFAULT_PAGE, Questions.MAX_PER_PAGE);
    }

    private static ObjectNode page(Page<LockView, LockKey> page) {
        ObjectNode body = Json.object();
        ArrayNode locks = body.putArray("locks");
        page.entries().forEach(view -> locks.add(JsonMapper.lock(view)));
        page.next().ifPresent(next -> body.put("next", next.toString()));
        return body;
    }

    /** Who holds one key and who waits for it. */
    CompletableFuture<Reply> resource(Call call) {
        call.expect(Set.of(STALE));
        LockKey key = key(call);
        return answer(
                call,
                questions.lock(key, call.flag(STALE), call.caller()),
                found -> JsonMapper.lock(
                        found.orElseGet(() -> new LockView(key, 0, 0, 0, 0, List.of(), 0, 0, List.of(), 0))));
    }

    /** What happened to one key, newest first. */
    CompletableFuture<Reply> history(Call call) {
        call.expect(Set.of(LIMIT, STALE, BEFORE));
        long before = call.number(BEFORE, 0, Long.MAX_VALUE);
        return answer(
                call, questions.history(key(call), before, limit(call), call.flag(STALE), call.caller()), found -> {
                    ObjectNode body = Json.object();
                    ArrayNode array = body.putArray("events");
                    found.entries().forEach(event -> array.add(JsonMapper.event(event)));
                    found.next().ifPresent(next -> body.put("next", next));
                    return body;
                });
    }

    /** Why the first who wait for a key have to. */
    CompletableFuture<Reply> explain(Call call) {
        call.expect(Set.of(STALE));
        Caller caller = call.caller();
        return answer(call, questions.explainKey(key(call), call.flag(STALE), caller), found -> {
            ObjectNode body = Json.object();
            ArrayNode waiters = body.putArray("waiters");
            found.entries().forEach(explanation -> waiters.add(explanation(explanation, caller)));
            return body.put("incomplete", found.next().isPresent());
        });
    }

    private static ObjectNode explanation(Explanation explanation, Caller caller) {
        boolean readable = caller.mayRead(explanation.blockedOn());
        ObjectNode waiter = Json.object();
        waiter.put("blockedOn", readable ? explanation.blockedOn().toString() : "");
        waiter.put("position", explanation.position());
        waiter.put("complete", explanation.complete() && readable);
        ArrayNode steps = waiter.putArray("steps");
        explanation.steps().forEach(step -> steps.add(JsonMapper.step(step)));
        return waiter;
    }

    /** What would become of a request for a lock. */
    CompletableFuture<Reply> plan(Call call) {
        AcquireRequest asked = AcquireRequest.read(call.fields(), call.caller(), bounds);
        Credential credential = Credential.random();
        String principal = credential.principal(call.caller().principal());
        return answer(
                call,
                questions.plan(
                        asked.start(credential, principal),
                        asked.acquire(credential, principal),
                        asked.staleDenial(),
                        RestRefusals.asked(call.caller())),
                plan -> plan(plan, call.caller()));
    }

    private static ObjectNode plan(Plan plan, Caller caller) {
        ObjectNode body = Json.object();
        body.put("verdict", plan.kind().name());
        switch (plan.kind()) {
            case WOULD_BE_GRANTED -> {}
            case WOULD_WAIT -> {
                Plan.WouldWait wait = (Plan.WouldWait) plan;
                body.put("blockedOn", wait.blockedOn().toString());
                body.put("position", wait.position());
                JsonMapper.blockers(body, wait.blockers(), caller);
            }
            case WOULD_DEADLOCK -> JsonMapper.blockers(body, ((Plan.WouldDeadlock) plan).cycle(), caller);
            case WOULD_BE_REFUSED -> {
                Rejection rejection = Refusals.of(((Plan.WouldBeRefused) plan).refusal(), RestRefusals.asked(caller));
                body.set("refusal", Reply.of(rejection).body());
            }
        }
        return body;
    }

    private LockKey key(Call call) {
        return bounds.key(AcquireRequest.RESOURCE, call.part(AcquireRequest.RESOURCE));
    }

    private static <T> CompletableFuture<Reply> answer(
            Call call, Question<T> question, Function<T, ObjectNode> answer) {
        return question.on(call.loop()).thenApply(found -> {
            ObjectNode body = answer.apply(found.value());
            // Who watches from here misses nothing that is not in this answer.
            Cursor cursor = new Cursor(found.epoch(), found.stamp().revision());
            return Reply.of(HttpStatus.OK, body.put("cursor", cursor.toString()));
        });
    }
}
