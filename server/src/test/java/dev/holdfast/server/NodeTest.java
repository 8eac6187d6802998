package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import dev.holdfast.consensus.LogException;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.FeatureLevelRaiseRequest;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LimitInfo;
import dev.holdfast.protocol.v1.LimitListRequest;
import dev.holdfast.protocol.v1.LimitSetRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.MemberRemoveRequest;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import dev.holdfast.server.settings.source.SettingsReader;
import dev.holdfast.testports.TestPorts;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node, from its settings to its port, on a log of its own. */
@Tag("slow")
@SuppressWarnings("try") // a node that only runs
class NodeTest {
    private static final long LEASE = 12345;

    @TempDir
    Path root;

    private final int clientPort = TestPorts.next();
    private final int peerPort = TestPorts.next();

    private Node node(Map<String, String> more) throws IOException {
        Map<String, String> flags = new HashMap<>(Map.of(
                "node.name",
                "n1",
                "data.dir",
                root.resolve("n1").toString(),
                "client.address",
                "127.0.0.1:" + clientPort,
                "peer.address",
                "127.0.0.1:" + peerPort));
        flags.putAll(more);
        return new Node(SettingsReader.read(Optional.empty(), Map.of(), flags), (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    private Node started() throws IOException, InterruptedException {
        Node node = node(Map.of());
        node.start();
        await().atMost(Duration.ofSeconds(30)).until(node::isReady);
        return node;
    }

    private LockServiceBlockingStub locks() {
        return GrpcClients.newClient("gproto+http://127.0.0.1:" + clientPort + "/", LockServiceBlockingStub.class);
    }

    private AdminBlockingStub admin() {
        return GrpcClients.newClient("gproto+http://127.0.0.1:" + clientPort + "/", AdminBlockingStub.class);
    }

    private LockResponse lock(String key) {
        var unused = locks().leaseGrant(LeaseGrantRequest.newBuilder()
                .setId(LEASE)
                .setTtlMs(600_000)
                .build());
        return locks().lock(LockRequest.newBuilder()
                .setName(key)
                .setLeaseId(LEASE)
                .setSeq(1)
                .build());
    }

    @Test
    void what_a_single_node_acknowledged_is_there_after_a_restart_and_it_says_that_it_is_not_replicated()
            throws Exception {
        long token;
        try (Node node = started()) {
            token = lock("orders/42").getFencingToken();
            StatusResponse status = admin().status(StatusRequest.getDefaultInstance());
            assertThat(status.getLog()).isEqualTo("single node, not replicated");
            assertThat(status.getWarningsList()).singleElement().asString().contains("one node only");
        }
        try (Node node = started()) {
            assertThat(locks().get(GetRequest.newBuilder().setName("orders/42").build())
                            .getLock()
                            .getHolders(0)
                            .getFencingToken())
                    .isEqualTo(token);
        }
    }

    @Test
    void operators_change_limits_and_take_locks_away() throws Exception {
        try (Node node = started()) {
            LockResponse granted = lock("orders/42");
            var changed = admin().limitSet(LimitSetRequest.newBuilder()
                    .setName("KEY_BYTES")
                    .setValue(20)
                    .build());
            assertThat(changed.getLimitsList())
                    .filteredOn(limit -> limit.getName().equals("KEY_BYTES"))
                    .singleElement()
                    .extracting(LimitInfo::getValue)
                    .isEqualTo(20L);
            assertThat(errorOf(() -> admin().limitSet(LimitSetRequest.newBuilder()
                                    .setName("KEY_BYTES")
                                    .setValue(1)
                                    .build()))
                            .getCode())
                    .isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(errorOf(() -> admin().limitSet(LimitSetRequest.newBuilder()
                                    .setName("KEY_BITES")
                                    .build()))
                            .getMessage())
                    .contains("KEY_BYTES");
            assertThat(admin().limitList(LimitListRequest.getDefaultInstance()).getLimitsCount())
                    .isGreaterThan(20);

            assertThat(errorOf(() -> admin().forceRelease(ForceReleaseRequest.newBuilder()
                                    .setName("orders/42")
                                    .setFencingToken(granted.getFencingToken())
                                    .build()))
                            .getSubject())
                    .isEqualTo("reason");
            assertThat(errorOf(() -> admin().forceRelease(ForceReleaseRequest.newBuilder()
                                    .setName("k".repeat(2_000))
                                    .setFencingToken(1)
                                    .setReason("too long a name")
                                    .build()))
                            .getCode())
                    .isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(admin().forceRelease(ForceReleaseRequest.newBuilder()
                                    .setName("orders/42")
                                    .setFencingToken(granted.getFencingToken())
                                    .setBy("me")
                                    .setReason("it is stuck")
                                    .build())
                            .getReleased())
                    .isTrue();
            assertThat(locks().get(GetRequest.newBuilder().setName("orders/42").build())
                            .hasLock())
                    .isFalse();
        }
    }

    @Test
    void a_feature_level_that_not_all_support_is_refused_and_a_single_node_has_nobody_to_remove() throws Exception {
        try (Node node = started()) {
            Error level = errorOf(() -> admin().featureLevelRaise(
                            FeatureLevelRaiseRequest.newBuilder().setLevel(99).build()));
            assertThat(level.getCode()).isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(level.getSubject()).isEqualTo("level");
            Error last = errorOf(() -> admin().memberRemove(
                            MemberRemoveRequest.newBuilder().setMember("n1").build()));
            assertThat(last.getCode()).isEqualTo(Code.FAILED_PRECONDITION);
            assertThat(last.getMessage()).contains("last full voter");
            Error unknown = errorOf(() -> admin().memberRemove(
                            MemberRemoveRequest.newBuilder().setMember("n9").build()));
            assertThat(unknown.getCode()).isEqualTo(Code.NOT_FOUND);
            assertThat(unknown.getSubject()).isEqualTo("member");
            assertThat(unknown.getMessage()).contains("n9", "n1");
        }
    }

    @Test
    void a_node_that_starts_says_so_in_the_language_of_the_caller() throws Exception {
        // Its only other member is never there.
        String members = "n1=127.0.0.1:" + clientPort + "/127.0.0.1:" + peerPort + ", n2=127.0.0.1:" + TestPorts.next()
                + "/127.0.0.1:" + TestPorts.next();
        try (Node node = node(Map.of("cluster.members", members))) {
            Thread starting = new Thread(() -> {
                try {
                    node.start();
                } catch (IOException | InterruptedException | RuntimeException e) {
                    // It is stopped before it has started.
                }
            });
            starting.start();
            WebClient http = WebClient.of("http://127.0.0.1:" + clientPort);
            await().ignoreExceptions()
                    .until(() ->
                            http.get("/healthz").aggregate().join().status().code() == 200);
            AggregatedHttpResponse ready = http.get("/readyz").aggregate().join();
            assertThat(ready.status().code()).isEqualTo(503);
            assertThat(ready.contentUtf8()).contains("starting");
            AggregatedHttpResponse rest = http.get("/api/v1/locks").aggregate().join();
            assertThat(rest.status().code()).isEqualTo(503);
            assertThat(rest.headers().get("retry-after")).isEqualTo("1");
            assertThat(rest.contentUtf8()).contains("\"error\":\"UNAVAILABLE\"", "starting", "\"retryAfterMs\":1000");
            Error grpc = errorOf(() -> lock("orders/42"));
            assertThat(grpc.getCode()).isEqualTo(Code.UNAVAILABLE);
            assertThat(grpc.getMessage()).contains("starting").doesNotContain("\n");
            assertThat(grpc.getRetryAfterMs()).isEqualTo(1_000);
            starting.interrupt();
            starting.join();
        }
    }

    @Test
    void load_balancers_and_dashboards_are_served() throws Exception {
        try (Node node = started()) {
            lock("orders/42");
            WebClient http = WebClient.of("http://127.0.0.1:" + clientPort);
            assertThat(http.get("/healthz").aggregate().join().status().code()).isEqualTo(200);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> http.get("/readyz").aggregate().join().status().code() == 200);
            assertThat(GrpcClients.newClient(
                                    "gproto+http://127.0.0.1:" + clientPort + "/", HealthGrpc.HealthBlockingStub.class)
                            .check(HealthCheckRequest.getDefaultInstance())
                            .getStatus())
                    .isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
            assertThat(http.get("/metrics").aggregate().join().contentUtf8())
                    .contains(
                            "holdfast_proposals_total", "holdfast_commit_latency_seconds_bucket", "holdfast_leader 1.0")
                    .contains("holdfast_leases 1.0", "holdfast_locks 1.0", "holdfast_elections_total 1.0")
                    .contains("holdfast_batch_commands", "holdfast_apply_lag_seconds", "holdfast_queue_wait_seconds")
                    .contains("holdfast_waiters", "holdfast_watches", "holdfast_expiries_total");
            node.drain();
            assertThat(http.get("/readyz").aggregate().join().status().code()).isEqualTo(503);
        }
    }

    @Test
    void figures_are_plain_text_or_openmetrics_with_the_traces_of_callers_for_those_who_ask() throws Exception {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        try (Node node = started()) {
            WebClient http = WebClient.of("http://127.0.0.1:" + clientPort);
            assertThat(http.execute(RequestHeaders.of(
                                    HttpMethod.GET,
                                    "/api/v1/locks",
                                    "traceparent",
                                    "00-" + trace + "-00f067aa0ba902b7-01"))
                            .aggregate()
                            .join()
                            .status()
                            .code())
                    .isEqualTo(200);
            // It is counted once the answer is known, which may have arrived by then.
            await().until(() -> figures(http, "").contentUtf8().contains("holdfast_traced_calls_seconds_count 1\n"));

            for (String accepted : List.of("", "text/plain;version=0.0.4", "*/*")) {
                AggregatedHttpResponse plain = figures(http, accepted);
                assertThat(plain.contentType()).isEqualTo(MediaType.PLAIN_TEXT_UTF_8);
                assertThat(plain.contentUtf8())
                        .contains("holdfast_traced_calls_seconds_count 1\n", "holdfast_leader 1.0\n")
                        .doesNotContain(trace, "# EOF");
            }
            AggregatedHttpResponse open =
                    figures(http, "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3");
            assertThat(open.contentType())
                    .isEqualTo(MediaType.parse("application/openmetrics-text; version=1.0.0; charset=utf-8"));
            assertThat(open.contentUtf8())
                    .contains("holdfast_traced_calls_seconds_count 1 #", "holdfast_leader 1.0\n")
                    .contains("# {span_id=\"00f067aa0ba902b7\",trace_id=\"" + trace + "\"}")
                    .endsWith("# EOF\n");
            assertThat(figures(
                                    http,
                                    "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                                            + "encoding=delimited;q=0.7,text/plain;q=0.3")
                            .contentType()
                            .subtype())
                    .isEqualTo("vnd.google.protobuf");
        }
    }

    private static AggregatedHttpResponse figures(WebClient http, String accepted) {
        return http.execute(RequestHeaders.of(HttpMethod.GET, "/metrics", HttpHeaderNames.ACCEPT, accepted))
                .aggregate()
                .join();
    }

    @Test
    void a_directory_belongs_to_one_node_and_one_process_and_must_keep_its_log() throws Exception {
        try (Node node = started()) {
            assertThatThrownBy(() -> node(Map.of()))
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("in use");
        }
        assertThatThrownBy(() -> node(Map.of("node.name", "n2")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to node \"n1\"");
        try (Stream<Path> files = Files.walk(root.resolve("n1/log"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(() -> node(Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its log is gone")
                .hasMessageContaining("cluster.replaces");
    }

    private static Error errorOf(Runnable call) {
        return Errors.of(catchThrowableOfType(StatusRuntimeException.class, call::run))
                .orElseThrow();
    }
}
