package dev.holdfast.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.ProtocolMessageEnum;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON text of maps, lists, plain values and protocol messages.
 *
 * <p>A message's fields have the names of the protocol, and all are there, set or not. 64-bit numbers that name
 * something (tokens, leases, nodes) are strings, for many readers of JSON keep only 53 bits; counts, times and
 * revisions are numbers. Bytes that are UTF-8 are shown as that text, others as {@code base64:} and so on.
 */
public final class Json {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE).build();

    private static final Separators SEPARATORS = Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
            .withObjectEmptySeparator("")
            .withArrayEmptySeparator("");

    private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");

    /** What JSON allows inside a string, but would steer a terminal or cannot be written as UTF-8. */
    private static final Pattern UNSAFE = Pattern.compile("[\\x7f-\\x9f\\p{Cs}]");

    private final JsonGenerator generator;

    private Json(JsonGenerator generator) {
        this.generator = generator;
    }

    /** Over several lines, for people and scripts. */
    public static String pretty(@Nullable Object value) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS);
        printer.indentObjectsWith(INDENT);
        printer.indentArraysWith(INDENT);
        return text(value, printer);
    }

    /** On one line, for streams of such lines. */
    public static String line(@Nullable Object value) {
        return text(value, null);
    }

    /** A message on one line, with something that is not in it. */
    public static String line(MessageOrBuilder message, Map<String, String> more) {
        Map<String, @Nullable Object> fields = fields(message);
        fields.putAll(more);
        return line(fields);
    }

    private static String text(@Nullable Object value, @Nullable PrettyPrinter printer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            generator.setPrettyPrinter(printer);
            new Json(generator).write(value);
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot be written to", e);
        }
        return UNSAFE.matcher(text.toString())
                .replaceAll(unsafe ->
                        String.format("\\\\u%04x", (int) unsafe.group().charAt(0)));
    }

    private void write(@Nullable Object value) throws IOException {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof Number number) {
            generator.writeNumber(number.toString());
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof MessageOrBuilder message) {
            write(fields(message));
        } else if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                generator.writeFieldName(String.valueOf(entry.getKey()));
                write(entry.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof Iterable<?> list) {
            generator.writeStartArray();
            for (Object element : list) {
                write(element);
            }
            generator.writeEndArray();
        } else if (value instanceof ProtocolMessageEnum named) {
            generator.writeString(named.getValueDescriptor().getName());
        } else {
            generator.writeString(value.toString());
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
}
