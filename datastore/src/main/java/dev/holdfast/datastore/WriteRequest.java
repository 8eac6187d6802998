package dev.holdfast.datastore;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.guard.Access;
import dev.holdfast.guard.InvalidAccessException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** What {@code POST /write} carries. */
record WriteRequest(String clientId, Access access, String data) {
    static final int MAX_CLIENT_BYTES = 256;
    static final int MAX_DATA_BYTES = 1 << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final Set<String> FIELDS = Set.of("clientID", "fencingToken", "data", "sequence");
    private static final Set<String> TOKEN_FIELDS = Set.of("key", "value", "valueString");
    private static final Map<String, String> NAMES = Map.of("key", "fencingToken.key", "token", "fencingToken.value");

    static WriteRequest parse(byte[] body) {
        JsonNode root = object(body);
        only(FIELDS, root, "");
        JsonNode token = root.path("fencingToken");
        if (!token.isObject()) {
            throw new BadRequestException("fencingToken", "must be an object with key and value");
        }
        only(TOKEN_FIELDS, token, "fencingToken.");
        String clientId = text(root, "clientID", "clientID", MAX_CLIENT_BYTES);
        String data = text(root, "data", "data", MAX_DATA_BYTES);
        String key = text(token, "key", "fencingToken.key", Access.MAX_KEY_BYTES);
        long value = value(token);
        try {
            Access access = Access.exclusive(key, value);
            return new WriteRequest(
                    clientId, root.has("sequence") ? access.write(number(root, "sequence", "sequence")) : access, data);
        } catch (InvalidAccessException e) {
            throw invalid(e);
        }
    }

    private static BadRequestException invalid(InvalidAccessException e) {
        return new BadRequestException(NAMES.getOrDefault(e.field(), e.field()), e.problem());
    }

    private static JsonNode object(byte[] body) {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (IOException e) {
            throw new BadRequestException("body", "is no JSON: " + firstLine(e));
        }
        if (!root.isObject()) {
            throw new BadRequestException("body", "must be an object with clientID, fencingToken and data");
        }
        return root;
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static void only(Set<String> known, JsonNode object, String prefix) {
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw new BadRequestException(
                        prefix + name,
                        "is not known; known are " + known.stream().sorted().toList());
            }
        });
    }

    private static String text(JsonNode object, String name, String field, int limit) {
        JsonNode node = object.path(name);
        if (!node.isTextual()) {
            throw new BadRequestException(field, node.isMissingNode() ? "is absent" : "must be a text");
        }
        int bytes = node.textValue().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > limit) {
            throw new BadRequestException(field, "has " + bytes + " bytes, the limit is " + limit);
        }
        return node.textValue();
    }

    /** The text counts if there is one: who keeps numbers as floating point hands on a rounded one beside it. */
    private static long value(JsonNode token) {
        long value = number(token, "value", "fencingToken.value");
        if (!token.has("valueString")) {
            return value;
        }
        long exact = number(token, "valueString", "fencingToken.valueString");
        if ((double) exact != (double) value) {
            throw new BadRequestException(
                    "fencingToken.valueString", "must be the same as value, is " + exact + ", not " + value);
        }
        return exact;
    }

    /** As a number; or as a text, for those whose numbers end at 2^53. */
    private static long number(JsonNode object, String name, String field) {
        JsonNode node = object.path(name);
        if (node.isMissingNode() || node.isNull()) {
            throw new BadRequestException(field, "is absent");
        }
        if (node.isTextual()) {
            return Numbers.parse(field, node.textValue());
        }
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw new BadRequestException(field, "must be a whole number below 2^63, is " + node);
        }
        return node.longValue();
    }
}
