package dev.holdfast.server.rest;

import dev.holdfast.core.LeaseId;
import dev.holdfast.server.operation.Derivation;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * What the holder of a lock knows and nobody else: the {@code lockToken}.
 *
 * <p>It is the id of the lock's own lease and 128 secret bits. The lease is made in the name of its principal and of a
 * hash of the secret, so the machine itself refuses whoever does not know it, and no node keeps the secret.
 */
record Credential(LeaseId lease, long secretHigh, long secretLow) {
    /** For a lease that is only imagined: nothing random is spent on a request that is refused at once. */
    static final Credential NOBODYS = new Credential(new LeaseId(1), 0, 0);

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 3 * Long.BYTES;
    private static final int CHARACTERS = BYTES / 3 * 4;
    private static final char SEPARATOR = '#';

    /** A credential of a new lock. */
    static Credential random() {
        long lease = RANDOM.nextLong();
        while (lease == 0) {
            lease = RANDOM.nextLong();
        }
        return new Credential(new LeaseId(lease), RANDOM.nextLong(), RANDOM.nextLong());
    }

    /**
     * The credential of a request with an {@code Idempotency-Key}: computed, so that a retry comes to the same lease on
     * every node and after any failover. The lease follows from the principal and the key, the secret from the request
     * as well: the same key with another request is then somebody who does not know the secret of a lease that exists.
     */
    static Credential computed(Derivation derivation, String principal, String idempotencyKey, String request) {
        ByteBuffer secret = ByteBuffer.wrap(derivation.bytes("rest secret", principal, idempotencyKey, request));
        return new Credential(
                derivation.lease("rest lease", principal, idempotencyKey), secret.getLong(), secret.getLong());
    }

    String encode() {
        return base64(ByteBuffer.allocate(BYTES)
                .putLong(lease.value())
                .putLong(secretHigh)
                .putLong(secretLow)
                .array());
    }

    /** Nothing for what cannot be a lock token. */
    static Optional<Credential> parse(String lockToken) {
        if (lockToken.length() != CHARACTERS) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(lockToken));
            if (bytes.remaining() != BYTES) {
                return Optional.empty(); // padded
            }
            long lease = bytes.getLong();
            return lease == 0
                    ? Optional.empty()
                    : Optional.of(new Credential(new LeaseId(lease), bytes.getLong(), bytes.getLong()));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    /** In whose name the lease is, if this principal made it. */
    String principal(String caller) {
        byte[] hash = sha256().digest(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(secretHigh)
                .putLong(secretLow)
                .array());
        return caller
                + SEPARATOR
                + base64(ByteBuffer.allocate(2 * Long.BYTES)
                        .put(hash, 0, 2 * Long.BYTES)
                        .array());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Neither is to be found in a log. */
    @Override
    public String toString() {
        return "a lock token";
    }
}
