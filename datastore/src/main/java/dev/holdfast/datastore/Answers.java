package dev.holdfast.datastore;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.GuardException;
import dev.holdfast.guard.OutOfOrderException;
import dev.holdfast.guard.StaleTokenException;
import java.io.IOException;
import java.util.Optional;

/** What the store says, as JSON. Tokens are texts, in values as well as numbers: many a reader's end at 2^53. */
final class Answers {
    private Answers() {}

    static HttpResponse written(Entry entry) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("success", true);
        if (entry == Entry.REPEATED) {
            json.put("repeated", true);
        }
        return json(HttpStatus.OK, json);
    }

    static HttpResponse read(String key, Optional<Value> found) {
        if (found.isEmpty()) {
            return json(HttpStatus.NOT_FOUND, error("NOT_FOUND", "key: nothing is stored under '" + key + "'", "key"));
        }
        Value value = found.get();
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("key", key).put("data", value.data());
        json.put("clientID", value.clientId());
        json.putObject("fencingToken")
                .put("key", key)
                .put("value", value.token())
                .put("valueString", Long.toString(value.token()));
        return json(HttpStatus.OK, json);
    }

    /** The one table of what can go wrong. */
    static HttpResponse failed(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof BadRequestException bad) {
            return json(HttpStatus.BAD_REQUEST, error("INVALID_ARGUMENT", message, bad.field()));
        }
        if (failure instanceof GuardException refused) {
            return refused(refused, message);
        }
        if (failure instanceof StoreFullException) {
            return json(HttpStatus.TOO_MANY_REQUESTS, error("QUOTA_EXCEEDED", message, "fencingToken.key"));
        }
        if (failure instanceof ContentTooLargeException) {
            return stray(HttpStatus.REQUEST_ENTITY_TOO_LARGE).toHttpResponse();
        }
        if (failure instanceof IOException) {
            return json(HttpStatus.SERVICE_UNAVAILABLE, error("UNAVAILABLE", message, ""));
        }
        return unforeseen(failure);
    }

    private static HttpResponse refused(GuardException refused, String message) {
        return switch (refused.kind()) {
            case STALE_TOKEN -> {
                StaleTokenException stale = (StaleTokenException) refused;
                ObjectNode json = error("STALE_TOKEN", message, "fencingToken.value");
                json.put("presented", Long.toString(stale.presented()));
                yield json(HttpStatus.PRECONDITION_FAILED, json.put("highest", Long.toString(stale.highest())));
            }
            case OUT_OF_ORDER -> {
                ObjectNode json = error("STALE_SEQUENCE", message, "sequence");
                String last = Long.toString(((OutOfOrderException) refused).last());
                yield json(HttpStatus.PRECONDITION_FAILED, json.put("last", last));
            }
            // The store keeps its marks itself, and nobody waits in it.
            case GUARD_BUSY, GUARD_FULL -> unforeseen(refused);
        };
    }

    static HttpResponse denied(String header, String why) {
        return json(HttpStatus.FORBIDDEN, error("PERMISSION_DENIED", header + ": " + why, header));
    }

    private static HttpResponse unforeseen(Throwable failure) {
        return json(HttpStatus.INTERNAL_SERVER_ERROR, error("INTERNAL", "the store failed: " + failure, ""));
    }

    /** To a request that reached no part of the store. */
    static AggregatedHttpResponse stray(HttpStatus status) {
        ObjectNode json = status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE)
                ? error("INVALID_ARGUMENT", "body: must not exceed " + DataStore.MAX_BODY_BYTES + " bytes", "body")
                : error("INVALID_ARGUMENT", status + ": ask for POST /write or GET /read?key=…", "path");
        return AggregatedHttpResponse.of(status, MediaType.JSON_UTF_8, json.toString());
    }

    private static ObjectNode error(String code, String message, String field) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("success", false)
                .put("error", code)
                .put("message", message)
                .put("field", field);
    }

    private static HttpResponse json(HttpStatus status, ObjectNode json) {
        return HttpResponse.of(status, MediaType.JSON_UTF_8, json.toString());
    }
}
