package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.request.Rejection;
import java.util.Map;

/** An answer: a status and a JSON object. */
public record Reply(int status, Map<CharSequence, String> headers, ObjectNode body) {
    private static final long MILLIS_PER_SECOND = 1_000;

    static Reply of(HttpStatus status, ObjectNode body) {
        return new Reply(status.code(), Map.of(), body);
    }

    /** What is wrong, in the one shape that all errors have. */
    public static Reply of(Rejection rejection) {
        return of(rejection, rejection.code().http());
    }

    static Reply of(Rejection rejection, int status) {
        ObjectNode body = Json.error(rejection);
        return status == HttpStatus.SERVICE_UNAVAILABLE.code() || status == HttpStatus.TOO_MANY_REQUESTS.code()
                ? later(rejection, status, body)
                : new Reply(status, Map.of(), body);
    }

    private static Reply later(Rejection rejection, int status, ObjectNode body) {
        body.put("retryAfterMs", rejection.retryAfterMillis());
        return new Reply(status, retryAfter(rejection.retryAfterMillis()), body);
    }

    /** The header has whole seconds, so it never says too early. */
    static Map<CharSequence, String> retryAfter(long millis) {
        return Map.of(HttpHeaderNames.RETRY_AFTER, Long.toString(secondsUp(millis)));
    }

    static long secondsUp(long millis) {
        return Math.max(1, (millis + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND);
    }

    /** As it goes out. */
    public HttpResponse response() {
        ResponseHeadersBuilder built = ResponseHeaders.builder(status).contentType(MediaType.JSON);
        // What is answered may be a secret, and is never true for long.
        built.add(HttpHeaderNames.CACHE_CONTROL, "no-store");
        headers.forEach(built::add);
        return HttpResponse.of(built.build(), HttpData.wrap(Json.bytes(body)));
    }
}
