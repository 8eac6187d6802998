package dev.holdfast.server.rest;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.request.Rejection;
import org.jspecify.annotations.Nullable;

/** What the port itself refuses, before any service sees it, in the shape of all other errors. */
public final class ErrorPages implements ServerErrorHandler {
    @Override
    public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        return null;
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        byte[] json = Json.bytes(reply(status).body());
        ResponseHeadersBuilder built = ResponseHeaders.builder(status).contentType(MediaType.JSON);
        if (isLast(status.code(), context)) {
            built.add(HttpHeaderNames.CONNECTION, "close");
        }
        return AggregatedHttpResponse.of(built.build(), HttpData.wrap(json));
    }

    /** Whether nobody waits for the rest of a request that was answered so, on a connection that has no other. */
    static boolean isLast(int status, @Nullable ServiceRequestContext context) {
        return (status == HttpStatus.REQUEST_TIMEOUT.code()
                        || status == HttpStatus.REQUEST_ENTITY_TOO_LARGE.code()
                        || status == HttpStatus.BAD_REQUEST.code())
                && context != null
                && !context.sessionProtocol().isMultiplex();
    }

    /** A status as an error. */
    public static Reply reply(HttpStatus status) {
        int limit = status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE) ? RestEdge.MAX_BODY_BYTES : 0;
        return Reply.of(Rejection.of(code(status), subject(status), limit, 0, sentence(status)), status.code());
    }

    private static ErrorCode code(HttpStatus status) {
        if (status.equals(HttpStatus.NOT_FOUND)) {
            return ErrorCode.NOT_FOUND;
        }
        // What did not arrive may be sent again as it is.
        return status.isClientError() && !status.equals(HttpStatus.REQUEST_TIMEOUT)
                ? ErrorCode.INVALID_ARGUMENT
                : ErrorCode.UNAVAILABLE;
    }

    private static String subject(HttpStatus status) {
        return status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE) || status.equals(HttpStatus.REQUEST_TIMEOUT)
                ? "body"
                : "request";
    }

    /** Without the library's own text, which may speak of what is inside. */
    private static String sentence(HttpStatus status) {
        if (status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE)) {
            return "body: is too large, the limit is " + RestEdge.MAX_BODY_BYTES + " bytes";
        }
        return status.equals(HttpStatus.REQUEST_TIMEOUT)
                ? "body: did not arrive within " + RestEdge.BODY_TIME.toSeconds() + " s; nothing was done"
                : "request: " + status.reasonPhrase();
    }
}
