package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Checks answers against the served OpenAPI document: the part of JSON Schema that it uses. */
final class Schemas {
    private final JsonNode document;

    Schemas(JsonNode document) {
        this.document = document;
    }

    /** The answer must be described, and be as described. */
    void check(String method, String path, int status, JsonNode body) {
        JsonNode answer = operation(method, path).path("responses").path(Integer.toString(status));
        assertThat(answer.isMissingNode())
                .as("%s %s may answer %d", method, path, status)
                .isFalse();
        List<String> wrong = new ArrayList<>();
        check(answer.path("content").path("application/json").path("schema"), body, "$", wrong);
        assertThat(wrong).as("%s %s -> %d %s", method, path, status, body).isEmpty();
    }

    JsonNode operation(String method, String path) {
        String plain = path.replaceFirst("\\?.*", "");
        JsonNode paths = document.path("paths");
        JsonNode exact = paths.path(plain);
        if (!exact.isMissingNode()) {
            return exact.path(method.toLowerCase(java.util.Locale.ROOT));
        }
        for (Iterator<String> templates = paths.fieldNames(); templates.hasNext(); ) {
            String template = templates.next();
            if (plain.matches(template.replaceAll("\\{\\w+}", "[^/]+"))) {
                return paths.path(template).path(method.toLowerCase(java.util.Locale.ROOT));
            }
        }
        throw new AssertionError("not described: " + method + " " + path);
    }

    private void check(JsonNode schema, JsonNode value, String at, List<String> wrong) {
        if (schema.has("$ref")) {
            check(document.at(schema.get("$ref").textValue().substring(1)), value, at, wrong);
            return;
        }
        if (schema.has("anyOf")) {
            for (JsonNode each : schema.get("anyOf")) {
                List<String> here = new ArrayList<>();
                check(each, value, at, here);
                if (here.isEmpty()) {
                    return;
                }
            }
            wrong.add(at + " is none of the alternatives");
            return;
        }
        if (!hasType(schema.path("type"), value)) {
            wrong.add(at + " is no " + schema.path("type") + ": " + value);
            return;
        }
        checkValue(schema, value, at, wrong);
        checkObject(schema, value, at, wrong);
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(schema.path("items"), value.get(i), at + "[" + i + "]", wrong);
        }
    }

    private static boolean hasType(JsonNode type, JsonNode value) {
        if (type.isArray()) {
            for (JsonNode each : type) {
                if (hasType(each, value)) {
                    return true;
                }
            }
            return false;
        }
        return switch (type.asText()) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            default -> throw new AssertionError("a schema without a type: " + type);
        };
    }

    private static void checkValue(JsonNode schema, JsonNode value, String at, List<String> wrong) {
        if (schema.has("enum") && !contains(schema.get("enum"), value)) {
            wrong.add(at + " is none of " + schema.get("enum") + ": " + value);
        }
        if (schema.has("const") && !schema.get("const").equals(value)) {
            wrong.add(at + " is not " + schema.get("const") + ": " + value);
        }
        if (schema.has("minimum") && value.asDouble() < schema.get("minimum").asDouble()) {
            wrong.add(at + " is below " + schema.get("minimum") + ": " + value);
        }
        if (schema.has("minLength")
                && value.asText().length() < schema.get("minLength").asInt()) {
            wrong.add(at + " is too short: " + value);
        }
        if (schema.has("maxLength")
                && value.asText().length() > schema.get("maxLength").asInt()) {
            wrong.add(at + " is too long: " + value);
        }
        if (schema.has("pattern")
                && !value.asText().matches(schema.get("pattern").asText())) {
            wrong.add(at + " does not match " + schema.get("pattern") + ": " + value);
        }
        if (schema.path("format").asText().equals("date-time") && value.isTextual()) {
            java.time.Instant.parse(value.asText());
        }
    }

    private static boolean contains(JsonNode values, JsonNode value) {
        for (JsonNode each : values) {
            if (each.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private void checkObject(JsonNode schema, JsonNode value, String at, List<String> wrong) {
        if (!value.isObject() || !schema.has("properties")) {
            return;
        }
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                wrong.add(at + " has no " + required);
            }
        }
        for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            JsonNode property = schema.get("properties").get(name);
            if (property == null) {
                wrong.add(at + " has an undescribed " + name);
            } else {
                check(property, value.get(name), at + "." + name, wrong);
            }
        }
    }
}
