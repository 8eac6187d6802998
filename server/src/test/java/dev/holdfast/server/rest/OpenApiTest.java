package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InvalidSchemaException;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.server.grpc.TestNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The description and what it describes are the same. */
@Timeout(60)
class OpenApiTest {
    private final TestNode node = new TestNode();
    private final JsonNode document =
            new RestClient(node.port()).plain("GET", "/api/v1/openapi.json").body();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void every_route_is_described_and_nothing_else_is() {
        Set<String> described = new TreeSet<>();
        document.get("paths")
                .fieldNames()
                .forEachRemaining(path -> document.get("paths")
                        .get(path)
                        .fieldNames()
                        .forEachRemaining(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
        Set<String> served = node.rest.routes().stream()
                .map(route -> route.method() + " " + route.path())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(described).isEqualTo(served);
    }

    @Test
    void every_error_code_is_described() {
        Set<String> described = new TreeSet<>();
        document.at("/components/schemas/Error/properties/error/enum").forEach(code -> described.add(code.asText()));
        assertThat(described)
                .isEqualTo(Arrays.stream(Code.values())
                        .filter(code -> code != Code.OK && code != Code.UNRECOGNIZED)
                        .map(Code::name)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void every_schema_is_valid_says_its_type_and_leaves_no_property_undescribed() {
        Schema rules = SchemaRegistry.withDefaultDialect(Dialects.getDraft202012())
                .getSchema(SchemaLocation.of(Dialects.getDraft202012().getId()));
        document.at("/components/schemas")
                .forEach(schema ->
                        assertThat(rules.validate(schema)).as("%s", schema).isEmpty());
        document.findValues("schema").forEach(OpenApiTest::requireClosed);
        document.at("/components/schemas").forEach(OpenApiTest::requireClosed);
    }

    private static void requireClosed(JsonNode schema) {
        assertThat(schema.has("type") || schema.has("$ref") || schema.has("anyOf"))
                .as("%s", schema)
                .isTrue();
        assertThat(schema.has("properties"))
                .as("%s", schema)
                .isEqualTo(schema.path("additionalProperties").isBoolean()
                        && !schema.get("additionalProperties").booleanValue());
        schema.path("properties").forEach(OpenApiTest::requireClosed);
        schema.path("anyOf").forEach(OpenApiTest::requireClosed);
        if (schema.has("items")) {
            requireClosed(schema.get("items"));
        }
    }

    @Test
    void an_answer_that_is_not_as_described_is_found() {
        RestClient client = new RestClient(node.port());
        JsonNode lock = client.acquire("{\"resourceId\": \"a\"}").body();
        Schemas schemas = new Schemas(document);
        schemas.check("POST", RestClient.LOCKS, 201, lock);
        List<Consumer<ObjectNode>> mistakes = List.of(
                body -> body.remove("lockId"),
                body -> body.put("undescribed", 1),
                body -> body.put("lockId", 1),
                body -> body.put("success", false),
                body -> body.put("fencingToken", 0),
                body -> body.put("fencingToken", "1"),
                body -> body.put("fencingTokenString", "x"),
                body -> body.put("expiresAt", "tomorrow"),
                body -> body.withArray("resources").add(1));
        assertThat(mistakes).allSatisfy(mistake -> {
            ObjectNode wrong = lock.deepCopy();
            mistake.accept(wrong);
            assertThatThrownBy(() -> schemas.check("POST", RestClient.LOCKS, 201, wrong))
                    .isInstanceOf(AssertionError.class);
        });
        assertThatThrownBy(() -> schemas.check("POST", RestClient.LOCKS, 200, lock))
                .hasMessageContaining("may answer 200");
        assertThatThrownBy(() -> schemas.check("GET", "/api/v1/nowhere", 200, lock))
                .hasMessageContaining("not described");
        ObjectNode mistyped = document.deepCopy();
        ((ObjectNode) mistyped.at("/components/schemas/Lock/properties/owner")).put("minlength", 1);
        assertThatThrownBy(() -> new Schemas(mistyped).check("POST", RestClient.LOCKS, 201, lock))
                .isInstanceOf(InvalidSchemaException.class);
    }
}
