package dev.holdfast.datastore;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.holdfast.guard.Marks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One line of the store's text file: what is known of a key from then on.
 *
 * @param marks who has entered, as {@link Marks#text}
 * @param value what is stored; absent where somebody entered and nothing has ever been written
 */
record Line(String key, String marks, @Nullable Value value) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final int CHECKSUM_CHARS = 8;

    /** The line with its end: a checksum, a blank, JSON. */
    byte[] bytes() {
        try {
            byte[] json = JSON.writeValueAsBytes(this);
            byte[] sum = (checksum(json) + " ").getBytes(StandardCharsets.US_ASCII);
            byte[] line = new byte[sum.length + json.length + 1];
            System.arraycopy(sum, 0, line, 0, sum.length);
            System.arraycopy(json, 0, line, sum.length, json.length);
            line[line.length - 1] = '\n';
            return line;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a line cannot be written: " + key, e);
        }
    }

    /** Empty if this is not a whole line, without its end. */
    static Optional<Line> of(byte[] bytes) {
        if (bytes.length <= CHECKSUM_CHARS || bytes[CHECKSUM_CHARS] != ' ') {
            return Optional.empty();
        }
        String sum = new String(bytes, 0, CHECKSUM_CHARS, StandardCharsets.US_ASCII);
        byte[] json = Arrays.copyOfRange(bytes, CHECKSUM_CHARS + 1, bytes.length);
        try {
            return sum.equals(checksum(json)) ? Optional.of(JSON.readValue(json, Line.class)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String checksum(byte[] json) {
        CRC32C sum = new CRC32C();
        sum.update(json);
        return String.format("%08x", sum.getValue());
    }
}
