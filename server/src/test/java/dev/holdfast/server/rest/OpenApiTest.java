package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.server.grpc.TestNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
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
}
