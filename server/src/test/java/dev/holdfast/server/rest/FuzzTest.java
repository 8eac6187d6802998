package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.Cursor;
import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.request.Rejected;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever bytes arrive, they are read or refused by name; nothing else comes out of the decoders. */
@Tag("slow")
@Timeout(120)
class FuzzTest {
    private static final Duration EACH = Duration.ofMillis(Boolean.getBoolean("holdfast.long") ? 300_000 : 1_500);

    private static final String[] WORDS = {
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "null",
        "true",
        "-1",
        "1e999",
        "0x1",
        "\\ud800",
        "\u0000",
        "\ufeff",
        "ttl",
        "ttlMs",
        "resourceId",
        "99999999999999999999",
        "[[[[[[[[[[",
        "{\"a\":",
        "\u00e9",
        "SUBTREE",
        "PERMITS",
    };

    private final long seed = Long.getLong("holdfast.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private byte[] mutated() {
        byte[] bytes =
                RestSeeds.BODIES.get(random.nextInt(RestSeeds.BODIES.size())).getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(6); i >= 0; i--) {
            int at = random.nextInt(bytes.length + 1);
            int to = Math.min(bytes.length, at + random.nextInt(8));
            ByteArrayOutputStream next = new ByteArrayOutputStream();
            next.write(bytes, 0, at);
            switch (random.nextInt(4)) {
                case 0 -> next.write(random.nextInt(256));
                case 1 -> next.writeBytes(WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.UTF_8));
                case 2 -> next.write(bytes, at, to - at);
                default -> at = to;
            }
            next.write(bytes, at, bytes.length - at);
            bytes = next.toByteArray();
        }
        return bytes;
    }

    @Test
    void bodies_are_read_or_refused_by_name() {
        try (TestNode node = new TestNode()) {
            var bounds = node.bounds();
            int read = 0;
            int refused = 0;
            for (long end = System.nanoTime() + EACH.toNanos(); System.nanoTime() - end < 0; ) {
                byte[] body = mutated();
                try {
                    AcquireRequest.read(new Fields(Json.parse(body)), node.caller(), bounds);
                    read++;
                } catch (Rejected rejected) {
                    assertThat(rejected.rejection().subject()).isNotEmpty();
                    refused++;
                } catch (RuntimeException e) {
                    throw new AssertionError(
                            "seed " + seed + ": " + Base64.getEncoder().encodeToString(body), e);
                }
            }
            assertThat(read).as("seed %d", seed).isPositive();
            assertThat(refused).as("seed %d", seed).isPositive();
        }
    }

    @Test
    void ids_tokens_and_cursors_are_read_or_refused_by_name() {
        for (long end = System.nanoTime() + EACH.toNanos() / 4; System.nanoTime() - end < 0; ) {
            byte[] bytes = new byte[random.nextInt(48)];
            random.nextBytes(bytes);
            String text = random.nextBoolean()
                    ? Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
                    : new String(bytes, StandardCharsets.ISO_8859_1);
            try {
                LockName name = LockName.parse(text);
                assertThat(name.encode()).as("seed %d", seed).isEqualTo(text);
            } catch (Rejected rejected) {
                assertThat(rejected.rejection().subject()).isEqualTo(LockName.FIELD);
            }
            Credential.parse(text).ifPresent(token -> assertThat(token.encode()).isEqualTo(text));
            Cursor.parse(text)
                    .ifPresent(cursor ->
                            assertThat(Cursor.parse(cursor.toString())).contains(cursor));
        }
    }

    @Test
    void a_node_answers_every_body_and_path_in_the_same_shape_and_keeps_answering() {
        try (TestNode node = new TestNode()) {
            RestClient client = new RestClient(node.port());
            String[] methods = {"POST", "PUT", "DELETE", "GET"};
            String[] paths = {
                "/api/v1/locks",
                "/api/v1/locks/batch",
                "/api/v1/locks/plan",
                "/api/v1/locks/AAAA/renew",
                "/api/v1/locks/AAAA"
            };
            for (long end = System.nanoTime() + EACH.toNanos(); System.nanoTime() - end < 0; ) {
                byte[] body = new String(mutated(), StandardCharsets.ISO_8859_1)
                        .replace("blocking", "blocked")
                        .getBytes(StandardCharsets.ISO_8859_1);
                String path = paths[random.nextInt(paths.length)];
                String method = methods[random.nextInt(methods.length)];
                RestClient.Answer answer = client.plain(method, path, body, "X-Lock-Token", "x");
                assertThat(answer.status()).as("seed %d", seed).isLessThan(500);
                assertThat(answer.status() < 300 || answer.body().has("error"))
                        .as("seed %d: %s", seed, answer)
                        .isTrue();
            }
            assertThat(client.acquire("{\"resourceId\": \"after all\"}").status())
                    .isEqualTo(201);
        }
    }
}
