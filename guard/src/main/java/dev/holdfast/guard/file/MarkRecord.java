package dev.holdfast.guard.file;

import dev.holdfast.guard.Marks;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What a mark file says: one line of text with a checksum.
 *
 * @param generation one higher with each record that is written
 * @param pending what was begun and is not known to be done
 */
record MarkRecord(long generation, String key, Marks marks, Pending pending) {
    private static final Pattern LINE =
            Pattern.compile("(holdfast-marks 1 (\\d{1,18}) (\\S+) (\\S+) \\[([^]]*)]) ([0-9a-f]{8})\n\0*");

    static MarkRecord first(String key) {
        return new MarkRecord(1, key, Marks.NONE, Pending.NOTHING);
    }

    MarkRecord next(Marks then, Pending begun) {
        return new MarkRecord(generation + 1, key, then, begun);
    }

    byte[] bytes() {
        String body = String.join(
                " ",
                List.of(
                        "holdfast-marks 1",
                        Long.toString(generation),
                        URLEncoder.encode(key, StandardCharsets.UTF_8),
                        pending.text(),
                        "[" + marks.text() + "]"));
        return (body + " " + checksum(body) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Empty if these bytes are no record, or not a whole one. */
    static Optional<MarkRecord> of(byte[] bytes) {
        Matcher line = LINE.matcher(new String(bytes, StandardCharsets.UTF_8));
        if (!line.matches() || !line.group(6).equals(checksum(line.group(1)))) {
            return Optional.empty();
        }
        return Optional.of(new MarkRecord(
                Long.parseLong(line.group(2)),
                URLDecoder.decode(line.group(3), StandardCharsets.UTF_8),
                Marks.parse(line.group(5)),
                Pending.parse(line.group(4))));
    }

    private static String checksum(String text) {
        CRC32C sum = new CRC32C();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", sum.getValue());
    }
}
