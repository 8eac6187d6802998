package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.Explanation;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceFutureStub;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ann waits behind a request that itself waits for a key she may not read. */
@Timeout(60)
class ExplainDeliveryTest {
    private static final String ADA = SecuredNode.token("ada", "", Verb.ADMIN);
    private static final String ANN = SecuredNode.token("ann", "acme", Verb.LOCK);
    private static final String SHOWN = "acme/shown";
    private static final String HIDDEN = "hidden/key";
    private static final long HOLDER = 1;
    private static final long MIDDLE = 2;
    private static final long LAST = 3;

    private final List<ListenableFuture<LockResponse>> waiting = new ArrayList<>();
    private SecuredNode node;

    @SuppressWarnings("NullAway.Init")
    ExplainDeliveryTest() {}

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of());
        lease(ADA, HOLDER);
        lease(ADA, MIDDLE);
        lease(ANN, LAST);
        assertThat(node.locks(ADA)
                        .lock(request(HOLDER, HIDDEN).setTimeoutMs(0).build())
                        .getAcquired())
                .isTrue();
        ask(ADA, request(MIDDLE, SHOWN, HIDDEN));
        awaitWaiters(1);
        ask(ANN, request(LAST, SHOWN));
        awaitWaiters(2);
    }

    @AfterEach
    void stop() {
        waiting.forEach(call -> call.cancel(true));
        node.close();
    }

    private void lease(String token, long id) {
        var unused = node.locks(token)
                .leaseGrant(LeaseGrantRequest.newBuilder()
                        .setId(id)
                        .setTtl(600)
                        .setClientId("client " + id)
                        .build());
    }

    private static LockRequest.Builder request(long lease, String... keys) {
        LockRequest.Builder request =
                LockRequest.newBuilder().setLeaseId(lease).setSeq(1).setTimeoutMs(600_000);
        for (String key : keys) {
            request.addItems(Item.newBuilder().setKey(key));
        }
        return request;
    }

    private void ask(String token, LockRequest.Builder request) {
        waiting.add(node.client(LockServiceFutureStub.class, token).lock(request.build()));
    }

    private void awaitWaiters(int count) {
        await().untilAsserted(() -> assertThat(node.locks(ADA)
                        .get(GetRequest.newBuilder().setName(SHOWN).build())
                        .getLock()
                        .getWaiterCount())
                .isEqualTo(count));
    }

    private Explanation explained(String token, long lease) {
        return node.locks(token)
                .explain(ExplainRequest.newBuilder().setLeaseId(lease).build())
                .getExplanations(0);
    }

    private JsonNode rest(String token) throws Exception {
        String path = "/api/v1/resources/" + SHOWN.replace("/", "%2F") + "/explain";
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port + path))
                .header("authorization", "Bearer " + token)
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return new JsonMapper().readTree(answer.body());
    }

    @Test
    void a_waiter_is_told_who_is_ahead_and_not_what_they_wait_for_elsewhere() {
        Explanation told = explained(ANN, LAST);
        assertThat(told.getBlockedOn()).isEqualTo(SHOWN);
        assertThat(told.getStepsList()).singleElement().satisfies(step -> {
            assertThat(step.getHow()).isEqualTo(Explanation.Step.How.WAITS_AHEAD);
            assertThat(step.getBlocker()).isEqualTo("client 2");
        });
        assertThat(told.getIncomplete()).isTrue();
        assertThat(told.toString()).doesNotContain(HIDDEN).doesNotContain("client 1");
    }

    @Test
    void over_rest_neither_the_steps_nor_what_another_is_blocked_on_name_a_key_that_may_not_be_read() throws Exception {
        JsonNode told = rest(ANN);
        assertThat(told.get("waiters")).hasSize(2);
        assertThat(told.toString()).doesNotContain(HIDDEN).doesNotContain("client 1");
        assertThat(told.at("/waiters/0/blockedOn").asText()).isEmpty();
        assertThat(told.at("/waiters/0/complete").booleanValue()).isFalse();
        assertThat(told.at("/waiters/1/blockedOn").asText()).isEqualTo(SHOWN);
        assertThat(told.at("/waiters/1/steps")).hasSize(1);
        assertThat(told.at("/waiters/1/complete").booleanValue()).isFalse();
    }

    @Test
    void who_may_read_all_keys_is_told_everything() throws Exception {
        Explanation told = explained(ADA, MIDDLE);
        assertThat(told.getBlockedOn()).isEqualTo(HIDDEN);
        assertThat(told.getIncomplete()).isFalse();
        JsonNode all = rest(ADA);
        assertThat(all.at("/waiters/0/blockedOn").asText()).isEqualTo(HIDDEN);
        assertThat(all.at("/waiters/1/steps")).hasSize(2);
        assertThat(all.at("/waiters/1/complete").booleanValue()).isTrue();
    }
}
