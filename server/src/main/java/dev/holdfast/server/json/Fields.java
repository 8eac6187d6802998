package dev.holdfast.server.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.server.request.Rejected;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object. Each is asked for by name and type; {@link #done} refuses those nobody asked for.
 *
 * <p>Every refusal names the field, from the outermost object down.
 */
public final class Fields {
    /** How much of a field's name a refusal repeats. */
    private static final int MAX_SHOWN = 64;

    private final ObjectNode node;
    private final String at;
    /** Few, and looked through only for the fields that are there. */
    private final List<String> known = new ArrayList<>();

    public Fields(ObjectNode node) {
        this(node, "");
    }

    private Fields(ObjectNode node, String at) {
        this.node = node;
        this.at = at;
    }

    /** The name of a field as refusals spell it. */
    public String name(String field) {
        return at.isEmpty() ? field : at + field;
    }

    /** All of it as text, the same for equal objects whose fields come in the same order. */
    public String canonical() {
        return node.toString();
    }

    public Optional<String> text(String field) {
        JsonNode value = get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw wrong(field, "a string");
        }
        return Optional.of(wellFormed(name(field), value.textValue()));
    }

    /** Half a surrogate pair is no character: encoded, it would be another text than the caller's. */
    public static String wellFormed(String field, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw Rejected.invalid(field, "contains half a character");
            }
        }
        return text;
    }

    /** Text, or an object as its compact JSON. */
    public Optional<String> textOrObject(String field) {
        JsonNode value = get(field);
        return value instanceof ObjectNode object
                ? Optional.of(wellFormed(name(field), object.toString()))
                : text(field);
    }

    public Optional<Long> integer(String field) {
        JsonNode value = get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isIntegralNumber()) {
            throw wrong(field, "a whole number");
        }
        if (!value.canConvertToLong()) {
            throw Rejected.invalid(name(field), "is out of bounds");
        }
        return Optional.of(value.longValue());
    }

    public Optional<Boolean> flag(String field) {
        JsonNode value = get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isBoolean()) {
            throw wrong(field, "true or false");
        }
        return Optional.of(value.booleanValue());
    }

    public <E extends Enum<E>> Optional<E> choice(String field, Class<E> type) {
        return text(field).map(text -> {
            for (E constant : type.getEnumConstants()) {
                if (constant.name().equals(text)) {
                    return constant;
                }
            }
            throw wrong(field, "one of " + List.of(type.getEnumConstants()));
        });
    }

    public Optional<Fields> object(String field) {
        JsonNode value = get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof ObjectNode object) {
            return Optional.of(new Fields(object, name(field) + "."));
        }
        throw wrong(field, "an object");
    }

    public Optional<List<Fields>> objects(String field) {
        JsonNode value = get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isArray()) {
            throw wrong(field, "a list");
        }
        List<Fields> elements = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            if (!(value.get(i) instanceof ObjectNode element)) {
                throw wrong(field + "[" + i + "]", "an object");
            }
            elements.add(new Fields(element, name(field) + "[" + i + "]."));
        }
        return Optional.of(elements);
    }

    /** A length of time: {@code field} in seconds, or {@code fieldMs} in milliseconds. */
    public Optional<Long> millis(String field) {
        Optional<Long> seconds = integer(field);
        Optional<Long> millis = integer(field + "Ms");
        if (seconds.isPresent() && millis.isPresent()) {
            throw Rejected.invalid(name(field), "is given both in seconds and in milliseconds");
        }
        return millis.or(() -> seconds.map(given -> {
            if (given > Long.MAX_VALUE / 1_000 || given < Long.MIN_VALUE / 1_000) {
                throw Rejected.invalid(name(field), given + " is out of bounds");
            }
            return given * 1_000;
        }));
    }

    /** Refuses the request if there are fields that were not asked for. */
    public void done() {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String field = names.next();
            if (!known.contains(field)) {
                String shown = field.isEmpty() ? "\"\"" : field.substring(0, Math.min(field.length(), MAX_SHOWN));
                throw Rejected.invalid(
                        name(shown), "is not a field of this request; known " + "fields: " + new TreeSet<>(known));
            }
        }
    }

    private @Nullable JsonNode get(String field) {
        known.add(field);
        return node.get(field);
    }

    private Rejected wrong(String field, String expected) {
        return Rejected.invalid(name(field), "must be " + expected);
    }
}
