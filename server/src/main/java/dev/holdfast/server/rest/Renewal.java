package dev.holdfast.server.rest;

import dev.holdfast.core.command.Command;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.request.Rejected;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How much longer a lock is to last.
 *
 * @param additionalMillis by how much; 0 if the other is given
 * @param ttlMillis for how long from now at least; 0 if the other is given
 * @param requestId the same request again has the same; 0 for none
 */
record Renewal(long additionalMillis, long ttlMillis, long requestId) {
    private static final String ADDITIONAL = "additionalTtl";
    private static final String TTL = "ttl";

    /** Reads a request's fields. */
    static Renewal read(Fields fields, Optional<String> idempotencyKey) {
        Optional<Long> additional = fields.millis(ADDITIONAL);
        Optional<Long> ttl = fields.millis(TTL);
        fields.done();
        if (ttl.isPresent() && additional.isPresent()) {
            throw Rejected.invalid(fields.name(TTL), "is given beside " + ADDITIONAL + "; give one of them");
        }
        if (ttl.isEmpty() && additional.isEmpty()) {
            throw Rejected.invalid(fields.name(TTL), "is missing; give it, or " + ADDITIONAL + ", in seconds");
        }
        ttl.filter(millis -> millis < 1).ifPresent(millis -> {
            throw Rejected.invalid(fields.name(TTL), 1, millis, millis + " ms is not a valid duration");
        });
        return new Renewal(
                additional.orElse(0L),
                ttl.orElse(0L),
                idempotencyKey.map(Renewal::requestId).orElse(0L));
    }

    /** The same on every node. The lease it is for is known to one holder only, so it need not be a secret. */
    private static long requestId(String idempotencyKey) {
        byte[] hash = Credential.sha256().digest(idempotencyKey.getBytes(StandardCharsets.UTF_8));
        return Math.max(1, ByteBuffer.wrap(hash).getLong() & Long.MAX_VALUE);
    }

    Command.ExtendLease of(ReleaseAndRenew.Claim claim) {
        return new Command.ExtendLease(
                claim.credential().lease(), claim.principal(), additionalMillis, ttlMillis, requestId);
    }
}
