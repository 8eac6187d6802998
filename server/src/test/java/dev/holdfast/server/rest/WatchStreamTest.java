package dev.holdfast.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.core.Limit;
import dev.holdfast.server.grpc.TestNode;
import dev.holdfast.server.rest.EventSource.Message;
import dev.holdfast.server.rest.RestClient.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchStreamTest {
    private final TestNode node = new TestNode();
    private final RestClient client = new RestClient(node.port());
    private final String address = "127.0.0.1:" + node.port();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void what_happens_to_a_key_is_told_in_order() throws Exception {
        try (EventSource watch = EventSource.open(address, "resourceId=a", "")) {
            Answer lock = client.acquire("{\"resourceId\": \"a\", \"purpose\": \"test\"}");
            client.acquire("{\"resourceId\": \"ab\"}");
            client.release(lock);
            JsonNode granted = watch.next().data().at("/events/0");
            assertThat(granted.get("what").asText()).isEqualTo("GRANTED");
            assertThat(granted.get("fencingToken")).isEqualTo(lock.body().get("fencingToken"));
            assertThat(granted.get("purpose").asText()).isEqualTo("test");
            JsonNode ended = watch.next().data().at("/events/0");
            assertThat(ended.get("what").asText()).isEqualTo("ENDED");
            assertThat(ended.get("reason").asText()).isEqualTo("RELEASED");
        }
    }

    @Test
    void one_transition_of_several_keys_is_one_message() throws Exception {
        try (EventSource watch = EventSource.open(address, "prefix=set/", "")) {
            client.acquire("{\"resources\": [{\"resourceId\": \"set/a\"}, {\"resourceId\": \"set/b\"}]}");
            assertThat(watch.next().data().get("events")).hasSize(2);
        }
    }

    @Test
    void who_comes_back_with_the_last_id_misses_nothing_and_sees_nothing_twice() throws Exception {
        List<Long> seen = new ArrayList<>();
        String last;
        try (EventSource watch = EventSource.open(address, "prefix=k/", "")) {
            client.acquire("{\"resourceId\": \"k/0\"}");
            Message message = watch.next();
            seen.add(message.data().get("revision").longValue());
            last = message.id();
        }
        for (int i = 1; i < 50; i++) {
            client.acquire("{\"resourceId\": \"k/" + i + "\"}");
        }
        try (EventSource watch = EventSource.open(address, "prefix=k/", last)) {
            client.acquire("{\"resourceId\": \"k/50\"}");
            for (int i = 1; i <= 50; i++) {
                Message message = watch.next();
                assertThat(message.data().at("/events/0/resourceId").asText()).isEqualTo("k/" + i);
                seen.add(message.data().get("revision").longValue());
            }
        }
        assertThat(seen).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_watch_from_a_lists_cursor_begins_right_behind_the_list() throws Exception {
        client.acquire("{\"resourceId\": \"a\"}");
        String cursor = client.get(RestClient.LOCKS).text("cursor");
        client.acquire("{\"resourceId\": \"b\"}");
        try (EventSource watch = EventSource.open(address, "prefix=&cursor=" + cursor, "")) {
            assertThat(watch.next().data().at("/events/0/resourceId").asText()).isEqualTo("b");
        }
    }

    @Test
    void a_cursor_that_is_forgotten_or_of_another_epoch_is_gone() {
        node.set(Limit.HISTORY_EVENTS, 16);
        for (int i = 0; i < 10; i++) {
            client.release(client.acquire("{\"resourceId\": \"a\"}"));
        }
        for (String cursor : new String[] {"0-1", "7-" + node.revision()}) {
            Answer gone = client.ask("GET", "/api/v1/watch?prefix=", "", "Last-Event-ID", cursor);
            assertThat(gone.status()).isEqualTo(410);
            assertThat(gone.error()).isEqualTo("COMPACTED");
        }
    }

    @Test
    void a_cursor_from_before_a_restore_is_gone_and_the_one_of_a_new_list_is_not() throws Exception {
        String before = client.get(RestClient.LOCKS).text("cursor");
        node.restore();
        Answer gone = client.ask("GET", "/api/v1/watch?prefix=", "", "Last-Event-ID", before);
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.error()).isEqualTo("COMPACTED");
        assertThat(gone.text("message")).contains("a backup was restored", "is of epoch 0");
        String after = client.get(RestClient.LOCKS).text("cursor");
        assertThat(after).startsWith("1-");
        try (EventSource watch = EventSource.open(address, "prefix=&cursor=" + after, "")) {
            client.acquire("{\"resourceId\": \"anew\"}");
            assertThat(watch.next().data().get("cursor").asText()).startsWith("1-");
        }
    }

    @Test
    void a_cursor_that_this_node_has_not_come_to_is_neither_lost_nor_replayed() throws Exception {
        client.acquire("{\"resourceId\": \"a\"}");
        try (EventSource watch = EventSource.open(address, "prefix=", "0-" + (node.revision() + 100))) {
            Message last = watch.next();
            assertThat(last.event()).isEqualTo("error");
            assertThat(last.data().get("error").asText()).isEqualTo("UNAVAILABLE");
        }
    }
}
