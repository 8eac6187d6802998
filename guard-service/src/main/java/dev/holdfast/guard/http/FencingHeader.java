package dev.holdfast.guard.http;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.InvalidAccessException;
import java.net.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * The header that carries an access: {@code Holdfast-Fencing-Token: orders/42=33}.
 *
 * <p>The key goes with the token, because a token means nothing without it: tokens of two keys do not compare. The
 * server decides which key guards what a request asks for, and refuses a token of another key.
 */
public final class FencingHeader {
    public static final String NAME = "Holdfast-Fencing-Token";

    private FencingHeader() {}

    /** Client side: adds the header with an access to a request. */
    public static HttpRequest.Builder on(HttpRequest.Builder request, Access access) {
        return request.setHeader(NAME, access.text());
    }

    /**
     * Server side: reads the access that a request shows for a key.
     *
     * @param value the value of the header; null if there is none
     * @throws InvalidAccessException if it is absent, is not an access, or is for another key
     */
    public static Access read(@Nullable String value, String key) {
        if (value == null) {
            throw new InvalidAccessException("token", "is absent; '" + key + "' is guarded, send " + NAME);
        }
        Access access = Access.parse(value);
        if (!access.key().equals(key)) {
            throw new InvalidAccessException(
                    "key", "'" + key + "' guards this, the token is for '" + access.key() + "'");
        }
        return access;
    }
}
