package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpStatus;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.request.Rejected;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Several operations in one request.
 *
 * <p>Each stands for itself, as if it had come alone: none waits for another, no order is promised between them, one
 * that fails does not touch the others. What must be taken together is one operation with several resources. All of
 * them are read before the first is begun, so a mistake in one means that nothing is done.
 */
final class Batches {
    static final int MAX_OPERATIONS = 64;
    private static final String OPERATIONS = "operations";

    private final Acquiring acquiring;
    private final ReleaseAndRenew holding;
    private final Bounds bounds;
    private final Failures failures;

    Batches(Acquiring acquiring, ReleaseAndRenew holding, Bounds bounds, Failures failures) {
        this.acquiring = acquiring;
        this.holding = holding;
        this.bounds = bounds;
        this.failures = failures;
    }

    CompletableFuture<Reply> run(Call call) {
        Fields fields = call.fields();
        List<Fields> asked = fields.objects(OPERATIONS).orElse(List.of());
        fields.done();
        if (asked.isEmpty() || asked.size() > MAX_OPERATIONS) {
            throw Rejected.invalid(
                    OPERATIONS, MAX_OPERATIONS, asked.size(), "must have 1 to " + MAX_OPERATIONS + " elements");
        }
        List<Supplier<CompletableFuture<Reply>>> operations = new ArrayList<>(asked.size());
        asked.forEach(each -> operations.add(operation(each, call)));
        List<CompletableFuture<Reply>> begun =
                operations.stream().map(this::begin).toList();
        return CompletableFuture.allOf(begun.toArray(CompletableFuture<?>[]::new))
                .thenApplyAsync(done -> results(begun), call.loop());
    }

    private Supplier<CompletableFuture<Reply>> operation(Fields fields, Call call) {
        Optional<Fields> acquire = fields.object("acquire");
        Optional<Fields> release = fields.object("release");
        Optional<Fields> renew = fields.object("renew");
        fields.done();
        if (acquire.map(given -> 1).orElse(0)
                        + release.map(given -> 1).orElse(0)
                        + renew.map(given -> 1).orElse(0)
                != 1) {
            throw Rejected.invalid(fields.name("acquire"), "give one of acquire, release and renew");
        }
        return acquire.map(given -> acquire(given, call))
                .or(() -> release.map(given -> release(given, call)))
                .orElseGet(() -> renew(renew.orElseThrow(), call));
    }

    private Supplier<CompletableFuture<Reply>> acquire(Fields fields, Call call) {
        Optional<String> key = fields.text("idempotencyKey");
        AcquireRequest asked = AcquireRequest.read(fields, call.caller(), bounds);
        if (asked.waitMillis() > 0) {
            throw Rejected.invalid(fields.name("blocking"), "would keep the others waiting; ask for it alone");
        }
        return () -> acquiring.acquire(call, asked, key);
    }

    private Supplier<CompletableFuture<Reply>> release(Fields fields, Call call) {
        Supplier<ReleaseAndRenew.Claim> claim = claim(fields, call);
        fields.done();
        return () -> holding.release(claim.get());
    }

    private Supplier<CompletableFuture<Reply>> renew(Fields fields, Call call) {
        Supplier<ReleaseAndRenew.Claim> claim = claim(fields, call);
        Renewal renewal = Renewal.read(fields, fields.text("idempotencyKey"));
        return () -> holding.renew(claim.get(), renewal);
    }

    /** A wrong lock token is the answer to one operation, not a mistake in the batch. */
    private static Supplier<ReleaseAndRenew.Claim> claim(Fields fields, Call call) {
        String lockId = fields.text(LockName.FIELD).orElse("");
        Optional<String> lockToken = fields.text("lockToken");
        return () -> ReleaseAndRenew.Claim.of(lockId, lockToken, call);
    }

    private CompletableFuture<Reply> begin(Supplier<CompletableFuture<Reply>> operation) {
        CompletableFuture<Reply> begun;
        try {
            begun = operation.get();
        } catch (RuntimeException failure) {
            begun = CompletableFuture.failedFuture(failure);
        }
        return begun.exceptionally(failure -> Reply.of(failures.rejection(failure)));
    }

    private static Reply results(List<CompletableFuture<Reply>> ended) {
        ObjectNode body = Json.object();
        ArrayNode results = body.putArray("results");
        for (CompletableFuture<Reply> each : ended) {
            Reply reply = each.join();
            results.addObject().put("status", reply.status()).set("body", reply.body());
        }
        return Reply.of(HttpStatus.OK, body);
    }
}
