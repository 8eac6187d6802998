package dev.holdfast.server.rest;

import dev.holdfast.core.LockKey;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * The {@code lockId}: names a grant, and is no secret.
 *
 * <p>It is a key of the grant and its token, so that every node can find the grant without a table of ids.
 *
 * @param key the first key of the grant
 */
record LockName(LockKey key, long token) {
    static final String FIELD = "lockId";
    private static final int MAX_CHARACTERS = 2_048;

    String encode() {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + key.length());
        bytes.putLong(token).put(key.utf8());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** @throws Rejected {@code NOT_FOUND} for what no grant was ever called */
    static LockName parse(String lockId) {
        if (lockId.length() <= MAX_CHARACTERS) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(lockId));
                if (bytes.remaining() > Long.BYTES) {
                    long token = bytes.getLong();
                    byte[] key = new byte[bytes.remaining()];
                    bytes.get(key);
                    LockName name = new LockName(LockKey.ofUtf8(key), token);
                    if (token > 0 && name.encode().equals(lockId)) {
                        return name;
                    }
                }
            } catch (IllegalArgumentException notBase64) {
                throw notFound();
            }
        }
        throw notFound();
    }

    static Rejected notFound() {
        return Rejection.of(ErrorCode.NOT_FOUND, FIELD, "no lock of this id is held")
                .toException();
    }
}
