package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import dev.holdfast.consensus.LogException;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.SnapshotSaveRequest;
import dev.holdfast.protocol.v1.StatusRequest;
import dev.holdfast.protocol.v1.StatusResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.server.settings.source.SettingsReader;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node without a port, reached from its own process. */
class EmbeddedNodeTest {
    private static final long LEASE = 4711;
    private static final int TOO_LARGE = 70 * 1024;

    @TempDir
    Path root;

    private EmbeddedNode started() throws IOException {
        return EmbeddedNode.start(root.resolve("node"));
    }

    @Test
    void lock_is_taken_and_given_back_and_the_node_says_that_it_is_not_replicated() throws Exception {
        try (EmbeddedNode node = started();
                EmbeddedClient client = new EmbeddedClient(node)) {
            client.lease(LEASE);
            LockResponse held = client.lock(LEASE, "orders/42", 1);
            assertThat(held.getAcquired()).isTrue();
            UnlockResponse released = client.locks()
                    .unlock(UnlockRequest.newBuilder()
                            .setName("orders/42")
                            .setLeaseId(LEASE)
                            .setFencingToken(held.getFencingToken())
                            .build());
            assertThat(released.getOutcome()).isEqualTo(UnlockResponse.Outcome.RELEASED);
            StatusResponse status =
                    AdminGrpc.newBlockingStub(client.channel()).status(StatusRequest.getDefaultInstance());
            assertThat(status.getLog()).isEqualTo("single node, not replicated");
            assertThat(status.getRole()).isEqualTo("leading");
            assertThat(HealthGrpc.newBlockingStub(client.channel())
                            .check(HealthCheckRequest.getDefaultInstance())
                            .getStatus())
                    .isEqualTo(ServingStatus.SERVING);
        }
    }

    @Test
    void leases_and_tokens_are_there_after_a_restart_and_later_tokens_are_higher() throws Exception {
        long token;
        String name;
        try (EmbeddedNode node = started();
                EmbeddedClient client = new EmbeddedClient(node)) {
            name = node.name();
            client.lease(LEASE);
            token = client.lock(LEASE, "a", 1).getFencingToken();
        }
        try (EmbeddedNode node = started();
                EmbeddedClient client = new EmbeddedClient(node)) {
            assertThat(node.name()).isNotEqualTo(name);
            assertThat(client.locks()
                            .get(GetRequest.newBuilder().setName("a").build())
                            .getLock()
                            .getHolders(0)
                            .getFencingToken())
                    .isEqualTo(token);
            assertThat(client.locks()
                            .leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder()
                                    .setId(LEASE)
                                    .build())
                            .getTtlMs())
                    .isPositive();
            assertThat(client.lock(LEASE, "b", 2).getFencingToken()).isGreaterThan(token);
        }
    }

    @Test
    void directory_serves_one_node_at_a_time_and_only_one_that_was_alone_from_the_start() throws Exception {
        try (EmbeddedNode node = started()) {
            assertThatThrownBy(this::started)
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining(root.resolve("node").toString())
                    .hasMessageContaining("in use by another node of this process");
            assertThat(node.name()).isNotEmpty();
        }
        Path servers = root.resolve("server");
        new Node(
                        SettingsReader.read(
                                Optional.empty(), Map.of(), Map.of("node.name", "n1", "data.dir", servers.toString())),
                        (message, cause) -> {})
                .close();
        assertThatThrownBy(() -> EmbeddedNode.start(servers))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to node \"n1\"");
        Files.delete(root.resolve("node/log/disk/lock"));
        Files.move(root.resolve("node/log/disk"), root.resolve("node/log/ratis"));
        assertThatThrownBy(this::started).isInstanceOf(IOException.class).hasMessageContaining("belongs to a cluster");
    }

    @Test
    void message_above_the_limit_ends_its_call_and_no_other() throws Exception {
        try (EmbeddedNode node = started();
                EmbeddedClient client = new EmbeddedClient(node)) {
            client.lease(LEASE);
            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> client.locks()
                            .lock(EmbeddedClient.request(LEASE, "a", 1)
                                    .setMetadata(ByteString.copyFrom(new byte[TOO_LARGE]))
                                    .build()));
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(refused.getStatus().getDescription()).contains("the limit is 65536");
            assertThat(client.lock(LEASE, "a", 1).getAcquired()).isTrue();
        }
    }

    @Test
    void backup_can_be_saved() throws Exception {
        try (EmbeddedNode node = started();
                EmbeddedClient client = new EmbeddedClient(node)) {
            client.lease(LEASE);
            int bytes = 0;
            var chunks =
                    AdminGrpc.newBlockingStub(client.channel()).snapshotSave(SnapshotSaveRequest.getDefaultInstance());
            while (chunks.hasNext()) {
                bytes += chunks.next().getData().size();
            }
            assertThat(bytes).isPositive();
        }
    }

    @Test
    void node_that_failed_says_so_once_and_ends_open_and_later_calls_as_unavailable() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        try (EmbeddedNode node = EmbeddedNode.start(root.resolve("node"), (message, cause) -> told.add(message));
                EmbeddedClient client = new EmbeddedClient(node)) {
            client.lease(LEASE);
            client.lease(LEASE + 1);
            assertThat(client.lock(LEASE, "a", 1).getAcquired()).isTrue();
            ListenableFuture<LockResponse> waiting = client.futures()
                    .lock(EmbeddedClient.request(LEASE + 1, "a", 1)
                            .setTimeoutMs(-1)
                            .build());
            await().until(() -> client.waiters("a") == 1);

            node.failed("the disk is full", new IOException("no space"));
            node.failed("and once more", null);
            assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .satisfies(EmbeddedNodeTest::isUnavailable);
            isUnavailable(catchThrowableOfType(StatusRuntimeException.class, () -> client.lock(LEASE, "b", 2)));
            await().untilAsserted(() -> assertThat(told).containsExactly("the disk is full"));
        }
    }

    private static void isUnavailable(Throwable failure) {
        assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(Errors.of(failure)).hasValueSatisfying(error -> {
            assertThat(error.getCode()).isEqualTo(Code.UNAVAILABLE);
            assertThat(error.getMessage()).contains("the disk is full");
        });
    }

    @Test
    void closing_answers_what_was_asked_ends_what_waits_and_leaves_no_thread() throws Exception {
        // Once before, for threads that the JDK starts when they are first needed and never stops.
        try (EmbeddedNode first = started();
                EmbeddedClient client = new EmbeddedClient(first)) {
            client.lease(LEASE + 2);
        }
        Set<Thread> before = threads();
        EmbeddedNode node = started();
        EmbeddedClient client = new EmbeddedClient(node);
        client.lease(LEASE);
        client.lease(LEASE + 1);
        assertThat(client.lock(LEASE, "a", 1).getAcquired()).isTrue();
        ListenableFuture<LockResponse> waiting = client.futures()
                .lock(EmbeddedClient.request(LEASE + 1, "a", 1).setTimeoutMs(-1).build());
        await().until(() -> client.waiters("a") == 1);
        ListenableFuture<LockResponse> asked =
                client.futures().lock(EmbeddedClient.request(LEASE, "b", 2).build());
        await().until(() -> asked.isDone() || client.isHeld("b"));
        node.close();
        node.close();
        assertThat(asked.get(10, TimeUnit.SECONDS).getAcquired()).isTrue();
        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .satisfies(failure ->
                        assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.UNAVAILABLE));
        client.close();
        await().atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .untilAsserted(() -> assertThat(threads())
                        .allSatisfy(thread -> assertThat(before).contains(thread))
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("holdfast-embedded")));
    }

    private static Set<Thread> threads() {
        return Set.copyOf(Thread.getAllStackTraces().keySet());
    }
}
