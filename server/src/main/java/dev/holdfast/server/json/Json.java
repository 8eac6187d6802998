package dev.holdfast.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads JSON without leniency, and writes it. */
public final class Json {
    private static final String BODY = "body";
    private static final int MAX_NESTING = 8;
    private static final int MAX_DIGITS = 32;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING)
                            .maxNumberLength(MAX_DIGITS)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final ObjectWriter WRITER = MAPPER.writerFor(JsonNode.class);

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * Reads an object.
     *
     * @throws Rejected if it is anything else
     */
    public static ObjectNode parse(byte[] utf8) {
        if (utf8.length == 0) {
            throw Rejected.invalid(BODY, "is empty; send a JSON object");
        }
        JsonNode node;
        try {
            node = MAPPER.readTree(decode(utf8));
        } catch (JsonProcessingException e) {
            throw Rejected.invalid(BODY, "is not JSON: " + where(e));
        }
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw Rejected.invalid(BODY, "is not a JSON object");
    }

    /** Not left to the parser, which guesses encodings and lets some malformed bytes pass. */
    private static String decode(byte[] utf8) {
        if (isAscii(utf8)) {
            return new String(utf8, StandardCharsets.US_ASCII);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Rejected.invalid(BODY, "is not UTF-8");
        }
    }

    /** What most requests are; it needs no decoder. */
    private static boolean isAscii(byte[] utf8) {
        for (byte each : utf8) {
            if (each < 0) {
                return false;
            }
        }
        return true;
    }

    /** The reason without what the parser read, which may be long, and without the name of a Java class. */
    private static String where(JsonProcessingException e) {
        String reason = e.getOriginalMessage();
        String cause = reason.startsWith("Duplicate field") ? "a field is given twice" : "it cannot be read";
        return e.getLocation() == null
                ? cause
                : cause + " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    /** What is wrong, in the one shape that all errors have. */
    public static ObjectNode error(Rejection rejection) {
        ObjectNode body = object();
        body.put("error", rejection.code().name());
        body.put("message", rejection.message());
        body.put("field", rejection.subject());
        if (rejection.limit() != 0 || rejection.actual() != 0) {
            body.put("limit", rejection.limit());
            body.put("actual", rejection.actual());
        }
        if (rejection.unknownOutcome()) {
            body.put("unknownOutcome", true);
        }
        return body;
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return WRITER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree that cannot be written", e);
        }
    }
}
