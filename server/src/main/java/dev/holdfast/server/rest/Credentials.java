package dev.holdfast.server.rest;

import dev.holdfast.core.LeaseId;
import dev.holdfast.server.operation.Derivation;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * Makes the credentials of new locks.
 *
 * <p>For an {@code Idempotency-Key} they are computed, so that a retry comes to the same lease on every node and after
 * any failover: the lease from the principal and the key, the secret from the request as well. The same key with
 * another request is then somebody who does not know the secret of a lease that exists.
 */
final class Credentials {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Derivation derivation;

    Credentials(Derivation derivation) {
        this.derivation = derivation;
    }

    static Credential random() {
        long lease = RANDOM.nextLong();
        while (lease == 0) {
            lease = RANDOM.nextLong();
        }
        return new Credential(new LeaseId(lease), RANDOM.nextLong(), RANDOM.nextLong());
    }

    Credential of(String principal, String idempotencyKey, String request) {
        ByteBuffer secret = ByteBuffer.wrap(derivation.bytes("rest secret", principal, idempotencyKey, request));
        return new Credential(
                derivation.lease("rest lease", principal, idempotencyKey), secret.getLong(), secret.getLong());
    }
}
