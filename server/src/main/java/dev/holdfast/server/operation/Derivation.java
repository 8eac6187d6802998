package dev.holdfast.server.operation;

import dev.holdfast.core.LeaseId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes ids that every node of a cluster comes to from the same words, and nobody outside it.
 *
 * <p>Keyed with the id of the cluster, which nodes and operators know: a client that could compute another's lease id
 * could take that id first, and so make a retry fail; it could not use the other's lease.
 */
public final class Derivation {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    public Derivation(String cluster) {
        this.key = new SecretKeySpec(cluster.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /** 32 bytes that differ for different words, wherever one ends and the next begins. */
    public byte[] bytes(String... words) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (String word : words) {
                byte[] utf8 = word.getBytes(StandardCharsets.UTF_8);
                mac.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
                mac.update(utf8);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    public LeaseId lease(String... words) {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(words));
        long id = bytes.getLong();
        return new LeaseId(id == 0 ? bytes.getLong() | 1 : id);
    }
}
