package dev.holdfast.cli.output;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.ProtocolMessageEnum;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON text of maps, lists, plain values and protocol messages.
 *
 * <p>A message's fields have the names of the protocol, and all are there, set or not. 64-bit numbers that name
 * something (tokens, leases, nodes) are strings, for many readers of JSON keep only 53 bits; counts, times and
 * revisions are numbers. Bytes that are UTF-8 are shown as that text, others as {@code base64:} and so on.
 */
public final class Json {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();
    private final boolean pretty;

    private Json(boolean pretty) {
        this.pretty = pretty;
    }

    /** Over several lines, for people and scripts. */
    public static String pretty(@Nullable Object value) {
        Json json = new Json(true);
        json.write(value, 0);
        return json.text.toString();
    }

    /** On one line, for streams of such lines. */
    public static String line(@Nullable Object value) {
        Json json = new Json(false);
        json.write(value, 0);
        return json.text.toString();
    }

    private void write(@Nullable Object value, int depth) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else if (value instanceof MessageOrBuilder message) {
            write(fields(message), depth);
        } else if (value instanceof Map<?, ?> map) {
            enclosed('{', '}', map.entrySet().iterator(), depth, entry -> {
                quote(String.valueOf(entry.getKey()));
                text.append(pretty ? ": " : ":");
                write(entry.getValue(), depth + 1);
            });
        } else if (value instanceof Iterable<?> list) {
            enclosed('[', ']', list.iterator(), depth, element -> write(element, depth + 1));
        } else if (value instanceof ProtocolMessageEnum named) {
            quote(named.getValueDescriptor().getName());
        } else {
            quote(value.toString());
        }
    }

    private interface Part<T> {
        void write(T part);
    }

    private <T> void enclosed(char open, char close, Iterator<T> parts, int depth, Part<T> part) {
        text.append(open);
        boolean any = parts.hasNext();
        while (parts.hasNext()) {
            newLine(depth + 1);
            part.write(parts.next());
            text.append(parts.hasNext() ? "," : "");
        }
        if (any) {
            newLine(depth);
        }
        text.append(close);
    }

    private void newLine(int depth) {
        if (pretty) {
            text.append('\n').append(INDENT.repeat(depth));
        }
    }

    private static Map<String, @Nullable Object> fields(MessageOrBuilder message) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            fields.put(field.getName(), value(message, field));
        }
        return fields;
    }

    private static @Nullable Object value(MessageOrBuilder message, FieldDescriptor field) {
        if (field.isRepeated()) {
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
                values.add(single(field, message.getRepeatedField(field, i)));
            }
            return values;
        }
        return field.hasPresence() && !message.hasField(field) ? null : single(field, message.getField(field));
    }

    private static Object single(FieldDescriptor field, Object value) {
        if (value instanceof Long number) {
            boolean unsigned =
                    field.getType() == FieldDescriptor.Type.UINT64 || field.getType() == FieldDescriptor.Type.FIXED64;
            return isName(field.getName()) ? unsigned ? Long.toUnsignedString(number) : number.toString() : number;
        }
        if (value instanceof ByteString bytes) {
            return bytes.isValidUtf8()
                    ? bytes.toStringUtf8()
                    : "base64:" + Base64.getEncoder().encodeToString(bytes.toByteArray());
        }
        return value instanceof EnumValueDescriptor named ? named.getName() : value;
    }

    /** Whether a 64-bit field of this name is an identity rather than an amount. */
    private static boolean isName(String field) {
        return field.equals("id")
                || field.endsWith("_id")
                || field.endsWith("_ids")
                || field.endsWith("_token")
                || field.endsWith("_tokens")
                || field.equals("hash");
    }

    private void quote(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> text.append(isPlain(string, i) ? String.valueOf(c) : String.format("\\u%04x", (int) c));
            }
        }
        text.append('"');
    }

    private static boolean isPlain(String string, int at) {
        char c = string.charAt(at);
        return Character.isSurrogate(c) ? paired(string, at) : !Character.isISOControl(c);
    }

    private static boolean paired(String string, int at) {
        return Character.isHighSurrogate(string.charAt(at))
                ? at + 1 < string.length() && Character.isLowSurrogate(string.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(string.charAt(at - 1));
    }
}
