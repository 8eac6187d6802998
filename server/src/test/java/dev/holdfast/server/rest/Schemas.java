package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.DisallowUnknownKeywordFactory;
import com.networknt.schema.keyword.NonValidationKeyword;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Checks answers against the served OpenAPI document. */
final class Schemas {
    private static final String DOCUMENT = "https://holdfast.invalid/openapi.json";

    /** OpenAPI's own, for schemas that stand in a document; a mistyped keyword is an error, not a note. */
    private static final Dialect DIALECT = Dialect.builder(Dialects.getOpenApi31())
            .keywords(Stream.of("openapi", "info", "paths", "components")
                    .map(NonValidationKeyword::new)
                    .toList())
            .unknownKeywordFactory(DisallowUnknownKeywordFactory.getInstance())
            .build();

    private final JsonNode document;
    private final SchemaRegistry registry;

    Schemas(JsonNode document) {
        this.document = document;
        this.registry = SchemaRegistry.withDefaultDialect(
                DIALECT,
                builder -> builder.schemas(Map.of(DOCUMENT, document.toString()))
                        .schemaRegistryConfig(SchemaRegistryConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build()));
    }

    /** The answer must be described, and be as described. */
    void check(String method, String path, int status, JsonNode body) {
        String place = "/paths/" + template(path).replace("/", "~1") + "/" + method.toLowerCase(Locale.ROOT)
                + "/responses/" + status + "/content/application~1json/schema";
        assertThat(document.at(place).isObject())
                .as("%s %s may answer %d", method, path, status)
                .isTrue();
        Schema schema = registry.getSchema(SchemaLocation.of(DOCUMENT + "#" + place));
        assertThat(schema.validate(body))
                .as("%s %s -> %d %s", method, path, status, body)
                .isEmpty();
    }

    /** The path as the document has it. */
    private String template(String path) {
        String plain = path.replaceFirst("\\?.*", "");
        JsonNode paths = document.path("paths");
        if (paths.has(plain)) {
            return plain;
        }
        for (Iterator<String> templates = paths.fieldNames(); templates.hasNext(); ) {
            String template = templates.next();
            if (plain.matches(template.replaceAll("\\{\\w+}", "[^/]+"))) {
                return template;
            }
        }
        throw new AssertionError("not described: " + path);
    }
}
