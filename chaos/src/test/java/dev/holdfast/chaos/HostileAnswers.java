package dev.holdfast.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What one who asks for what costs most is told. It is done, or refused by one of a few codes; and where a limit is what
 * stands against it, the refusal names the limit and its value.
 */
final class HostileAnswers {
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Too much: the limit has a name and a value. */
    private static final Set<Code> LIMITS = EnumSet.of(Code.RATE_LIMITED, Code.QUOTA_EXCEEDED, Code.WINDOW_FULL);

    /**
     * What else these requests may run into: they are in each other's way and in their own, and come back for what has
     * ended. Not among them is {@code INVALID_ARGUMENT}: each is one that a node would do for anybody.
     */
    private static final Set<Code> OTHERS = EnumSet.of(
            Code.LOCK_ALREADY_HELD,
            Code.CANCELLED,
            Code.DEADLOCK,
            Code.NOT_HOLDER,
            Code.LEASE_NOT_FOUND,
            // A watch from the first revision ends at once where that is gone, and is then taken back in vain.
            Code.COMPACTED,
            Code.NOT_FOUND);

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Those that are not as they should be, since the last call. */
    synchronized List<String> takeWrong() {
        List<String> taken = List.copyOf(wrong);
        wrong.clear();
        return taken;
    }

    /** How often what was answered, since the last call. */
    synchronized Map<String, Integer> takeCounts() {
        Map<String, Integer> taken = new TreeMap<>(counts);
        counts.clear();
        return taken;
    }

    private synchronized void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    void done() {
        count("done");
    }

    /** A call has failed. */
    void failed(StatusRuntimeException failure) {
        Error error = Errors.of(failure).orElse(null);
        if (error == null) {
            wrong.add("not typed: " + failure);
        } else {
            refused(error);
            Status.Code expected = ErrorCode.of(error.getCode()).grpc();
            // What is an answer elsewhere fails a call that has no place for it.
            if (expected != Status.Code.OK && expected != failure.getStatus().getCode()) {
                wrong.add("status " + failure.getStatus() + " for " + error);
            }
        }
    }

    /** An answer that says why there is no lock. */
    void refused(Code code) {
        count(code.name());
        if (!OTHERS.contains(code)) {
            wrong.add("not among those expected, or without its limit: " + code);
        }
    }

    void refused(Error error) {
        refused(error.getCode(), error.getSubject(), error.getLimit(), error.getActual(), error.getMessage());
    }

    private void refused(Code code, String subject, long limit, long actual, String message) {
        if (code == Code.UNAVAILABLE && subject.equals("session")) {
            // The node has given up a stream that was not read fast enough: connect again.
            count(code + " " + subject);
            return;
        }
        if (!LIMITS.contains(code)) {
            refused(code);
            return;
        }
        count(code + " " + subject);
        if (subject.isEmpty()
                || limit < 1
                || !isExceeded(code, limit, actual)
                || !message.contains(ErrorCode.of(code).advice())) {
            wrong.add("does not name its limit: " + code + ' ' + subject + ' ' + limit + ' ' + actual + ' ' + message);
        }
    }

    /** Whether the limit that is named is in the way; 0 where nobody counted. */
    private static boolean isExceeded(Code code, long limit, long actual) {
        // A window has so many places, counted from 0.
        return actual == 0 || actual > limit || (code == Code.WINDOW_FULL && actual == limit);
    }

    /** What has come on a session. */
    void arrived(List<ServerMessage> messages) {
        for (ServerMessage message : messages) {
            if (message.hasError()) {
                refused(message.getError());
            } else if (message.getWatch().hasError()) {
                refused(message.getWatch().getError());
            }
        }
    }

    /** An answer over HTTP; with what is in it, if it is that of a batch. */
    void http(int status, String body) {
        JsonNode json = json(body);
        if (status < 400) {
            done();
            for (JsonNode result : json.path("results")) {
                http(result.path("status").asInt(), result.path("body").toString());
            }
        } else {
            refused(json, status + " " + body);
        }
    }

    /** An answer on a WebSocket. */
    void socket(String message) {
        JsonNode json = json(message);
        if (json.path("success").booleanValue()) {
            done();
        } else {
            refused(json, message);
        }
    }

    private void refused(JsonNode json, String text) {
        String error = json.path("error").asText();
        try {
            refused(
                    Code.valueOf(error),
                    json.path("field").asText(),
                    json.path("limit").asLong(),
                    json.path("actual").asLong(),
                    json.path("message").asText());
        } catch (IllegalArgumentException notTyped) {
            wrong.add("not typed: " + text);
        }
    }

    private JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            wrong.add("no JSON: " + text);
            return MAPPER.createObjectNode();
        }
    }
}
