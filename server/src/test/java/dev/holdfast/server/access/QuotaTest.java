package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import dev.holdfast.core.Limit;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one tenant and one principal may have, by whichever way they ask. */
@Tag("slow")
@Timeout(120)
@SuppressWarnings("NullAway.Init") // set before all tests
class QuotaTest {
    private static final int MAX_LOCKS = 100;
    private static final int MAX_LEASES = 40;
    private static final int CALM_PAIRS = 150;

    private static SecuredNode node;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger granted = new AtomicInteger();
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<InputStream> watches = new ArrayList<>();
    private final List<Limit> changed = new ArrayList<>();
    /** One for all tests, each of which has tenants of its own. */
    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of("limit.watches.tenant", "2"));
    }

    @AfterEach
    void restore() throws IOException {
        changed.forEach(limit -> change(limit, limit.initial()));
        for (InputStream watch : watches) {
            watch.close();
        }
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /** Sets a limit until the test has ended. */
    private void set(Limit limit, long value) {
        changed.add(limit);
        change(limit, value);
    }

    private static void change(Limit limit, long value) {
        AdminBlockingStub admin = node.client(AdminBlockingStub.class, SecuredNode.token("operator", "", Verb.ADMIN));
        var unused = admin.limitSet(LimitSetRequest.newBuilder()
                .setName(limit.name())
                .setValue(value)
                .build());
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                failures.add(e);
                over.set(true);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void a_flood_of_one_tenant_gets_what_it_may_have_and_another_goes_on_undisturbed() throws Exception {
        set(Limit.LOCKS_PER_TENANT, MAX_LOCKS);
        set(Limit.LEASES_PER_TENANT, MAX_LEASES);
        LockServiceBlockingStub flood = node.locks(SecuredNode.token("f1", "flood", Verb.LOCK));
        long own = lease(flood, 0x1001);
        long first = tryLock(flood, own, 1, "flood/first").getFencingToken();
        granted.incrementAndGet();
        List<Thread> threads = List.of(
                thread(() -> floodByGrpc(flood, own)),
                thread(() -> floodByGrpc(flood, own)),
                thread(() -> floodByRest("f3")),
                thread(() -> floodByRest("f4")));

        await().until(() -> refused.get() > 0 || over.get());
        int before = refused.get();
        LockServiceBlockingStub calm = node.locks(SecuredNode.token("worker", "calm", Verb.LOCK));
        long lease = lease(calm, 0x2001);
        for (int i = 1; i <= CALM_PAIRS; i++) {
            TryLockResponse lock = tryLock(calm, lease, i, "calm/k");
            assertThat(lock.getAcquired()).isTrue();
            unlock(calm, lease, "calm/k", lock.getFencingToken());
            AggregatedHttpResponse rest = post("calm", "clerk", "{\"resourceId\": \"calm/r\"}");
            assertThat(rest.status().code()).isEqualTo(201);
            assertThat(release("calm", "clerk", json(rest)).status().code()).isEqualTo(200);
        }
        await().until(() -> granted.get() >= MAX_LOCKS || over.get());
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(granted.get()).isEqualTo(MAX_LOCKS);
        assertThat(refused.get()).as("refused meanwhile").isGreaterThan(before);

        // Only what is given back can be taken again.
        Error error = refusal(() -> tryLock(flood, own, 0, "flood/one-more"));
        assertThat(error.getActual()).isEqualTo(MAX_LOCKS + 1);
        unlock(flood, own, "flood/first", first);
        assertThat(tryLock(flood, own, 0, "flood/one-more").getAcquired()).isTrue();
        assertThat(refusal(() -> tryLock(flood, own, 0, "flood/two-more")).getCode())
                .isEqualTo(Code.QUOTA_EXCEEDED);
    }

    private void floodByGrpc(LockServiceBlockingStub locks, long lease) {
        while (!over.get()) {
            try {
                var unused = tryLock(locks, lease, 0, "flood/g" + number.incrementAndGet());
                granted.incrementAndGet();
            } catch (StatusRuntimeException e) {
                Error error = Errors.of(e).orElseThrow();
                assertThat(error.getCode()).isEqualTo(Code.QUOTA_EXCEEDED);
                assertThat(error.getSubject()).isEqualTo("LOCKS_PER_TENANT");
                assertThat(error.getLimit()).isEqualTo(MAX_LOCKS);
                assertThat(error.getActual()).isEqualTo(MAX_LOCKS + 1);
                assertThat(error.getMessage()).contains("by tenant flood", "have it raised");
                refused.incrementAndGet();
            }
        }
    }

    private void floodByRest(String name) {
        while (!over.get()) {
            String key = "flood/r" + number.incrementAndGet();
            AggregatedHttpResponse answer = post("flood", name, "{\"resourceId\": \"" + key + "\", \"ttl\": 300}");
            if (answer.status().code() == 201) {
                granted.incrementAndGet();
            } else {
                assertThat(answer.status().code()).isEqualTo(429);
                assertThat(answer.headers().get(HttpHeaderNames.RETRY_AFTER)).isNotNull();
                JsonNode error = json(answer);
                assertThat(error.get("error").asText()).isEqualTo("QUOTA_EXCEEDED");
                assertThat(error.get("field").asText()).isIn("LEASES_PER_TENANT", "LOCKS_PER_TENANT");
                assertThat(error.get("message").asText()).contains("by tenant flood");
                refused.incrementAndGet();
            }
        }
    }

    @Test
    void a_principal_has_one_quota_over_grpc_and_rest() throws Exception {
        set(Limit.LOCKS_PER_PRINCIPAL, 3);
        LockServiceBlockingStub ann = node.locks(SecuredNode.token("ann", "acme", Verb.LOCK));
        long lease = lease(ann, 0x3001);
        assertThat(post("acme", "ann", "{\"resourceId\": \"acme/1\"}").status().code())
                .isEqualTo(201);
        assertThat(post("acme", "ann", "{\"resourceId\": \"acme/2\"}").status().code())
                .isEqualTo(201);
        assertThat(tryLock(ann, lease, 1, "acme/3").getAcquired()).isTrue();
        Error error = refusal(() -> tryLock(ann, lease, 2, "acme/4"));
        assertThat(error.getSubject()).isEqualTo("LOCKS_PER_PRINCIPAL");
        assertThat(error.getMessage()).contains("4 would be in use by acme/ann, at most 3");
        AggregatedHttpResponse rest = post("acme", "ann", "{\"resourceId\": \"acme/5\"}");
        assertThat(json(rest).get("field").asText()).isEqualTo("LOCKS_PER_PRINCIPAL");
        assertThat(post("acme", "bob", "{\"resourceId\": \"acme/5\"}").status().code())
                .isEqualTo(201);
    }

    @Test
    void waiting_requests_have_a_quota_and_those_that_do_not_wait_have_not() throws Exception {
        set(Limit.WAITERS_PER_TENANT, 3);
        assertThat(post("queued", "ann", "{\"resourceId\": \"queued/k\", \"ttl\": 300}")
                        .status()
                        .code())
                .isEqualTo(201);
        List<CompletableFuture<AggregatedHttpResponse>> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String body = "{\"resourceId\": \"queued/k\", \"blocking\": true, \"timeout\": 3}";
            waiting.add(send("queued", "bob", body));
        }
        List<String> outcomes = new ArrayList<>();
        for (CompletableFuture<AggregatedHttpResponse> each : waiting) {
            JsonNode answer = json(each.join());
            outcomes.add(
                    answer.get("error").asText() + " " + answer.get("field").asText());
        }
        assertThat(outcomes).filteredOn("TIMEOUT queued/k"::equals).hasSize(3);
        assertThat(outcomes)
                .filteredOn("QUOTA_EXCEEDED WAITERS_PER_TENANT"::equals)
                .hasSize(5);
        assertThat(json(post("queued", "bob", "{\"resourceId\": \"queued/k\"}"))
                        .get("error")
                        .asText())
                .isEqualTo("LOCK_ALREADY_HELD");
    }

    @Test
    void watches_of_a_tenant_are_bounded_together() throws Exception {
        for (String name : List.of("ann", "bob")) {
            assertThat(watch("watched", name)).isEqualTo(200);
        }
        AggregatedHttpResponse third =
                get("/api/v1/watch?prefix=watched/", SecuredNode.token("carol", "watched", Verb.LOCK));
        assertThat(third.status().code()).isEqualTo(429);
        assertThat(json(third).get("error").asText()).isEqualTo("QUOTA_EXCEEDED");
        assertThat(json(third).get("message").asText()).contains("watches of one tenant: watched has 2 open");
        assertThat(watch("other", "dan")).isEqualTo(200);
        watches.get(0).close();
        await().until(() -> watch("watched", "carol") == 200);
    }

    /** Opens a watch that stays open if it can be; the status. */
    private int watch(String tenant, String name) throws IOException, InterruptedException {
        java.net.http.HttpRequest request = java.net.http.HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + node.port + "/api/v1/watch?prefix=" + tenant + "/"))
                .header("authorization", "Bearer " + SecuredNode.token(name, tenant, Verb.LOCK))
                .build();
        HttpResponse<InputStream> answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
        watches.add(answer.body());
        return answer.statusCode();
    }

    private static long lease(LockServiceBlockingStub locks, long id) {
        var unused = locks.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(id).setTtl(300).build());
        return id;
    }

    private static TryLockResponse tryLock(LockServiceBlockingStub locks, long lease, long seq, String key) {
        return locks.tryLock(TryLockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setSeq(seq)
                .setAckedBelow(seq)
                .build());
    }

    private static void unlock(LockServiceBlockingStub locks, long lease, String key, long token) {
        var unused = locks.unlock(UnlockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setFencingToken(token)
                .build());
    }

    private static Error refusal(Runnable call) {
        return Errors.of(catchThrowableOfType(StatusRuntimeException.class, call::run))
                .orElseThrow();
    }

    private AggregatedHttpResponse post(String tenant, String name, String body) {
        return send(tenant, name, body).join();
    }

    private CompletableFuture<AggregatedHttpResponse> send(String tenant, String name, String body) {
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.POST, "/api/v1/locks")
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + SecuredNode.token(name, tenant, Verb.LOCK))
                .build();
        return web().execute(HttpRequest.of(headers, HttpData.ofUtf8(body))).aggregate();
    }

    private AggregatedHttpResponse release(String tenant, String name, JsonNode lock) {
        String path = "/api/v1/locks/" + lock.get("lockId").asText();
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.DELETE, path)
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + SecuredNode.token(name, tenant, Verb.LOCK))
                .set("X-Lock-Token", lock.get("lockToken").asText())
                .build();
        return web().execute(HttpRequest.of(headers)).aggregate().join();
    }

    private AggregatedHttpResponse get(String path, String token) {
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.GET, path)
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token)
                .build();
        return web().execute(HttpRequest.of(headers)).aggregate().join();
    }

    private WebClient web() {
        return WebClient.of("h1c://127.0.0.1:" + node.port);
    }

    private static JsonNode json(AggregatedHttpResponse answer) {
        try {
            return new JsonMapper().readTree(answer.contentUtf8());
        } catch (JsonProcessingException e) {
            throw new AssertionError(answer.contentUtf8(), e);
        }
    }
}
