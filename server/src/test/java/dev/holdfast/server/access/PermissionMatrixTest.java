package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.protocol.v1.PeerGrpc;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.server.grpc.RpcPermissions;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every call × everybody who may try it. A call without a line here fails. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermissionMatrixTest {
    private static final String KEY = "acme/k";
    private static final long LEASE = 77;

    private static final List<ServiceDescriptor> SERVICES = List.of(
            LockServiceGrpc.getServiceDescriptor(),
            AdminGrpc.getServiceDescriptor(),
            PeerGrpc.getServiceDescriptor(),
            HealthGrpc.getServiceDescriptor(),
            ServerReflectionGrpc.getServiceDescriptor());

    /** Who calls, in the order of the columns below. */
    private static final Map<String, String> CALLERS = new LinkedHashMap<>();

    /**
     * What becomes of a call on key {@code acme/k}: U not known, D denied, p passed, if only to be told that what it
     * names is not there.
     */
    private static final Map<String, String> MATRIX = new LinkedHashMap<>();

    static {
        CALLERS.put("no credential", "");
        CALLERS.put("expired", SecuredNode.token("ann", "acme", "", Verb.ADMIN, Duration.ofMinutes(-5)));
        CALLERS.put("other tenant", SecuredNode.token("oz", "other", Verb.ADMIN));
        CALLERS.put("reader", SecuredNode.token("ray", "acme", Verb.READ));
        CALLERS.put("writer", SecuredNode.token("will", "acme", Verb.LOCK));
        CALLERS.put("tenant's admin", SecuredNode.token("tia", "acme", Verb.ADMIN));
        CALLERS.put("admin", SecuredNode.token("ada", "", Verb.ADMIN));

        row("holdfast.v1.LockService", "UUDDppp", "Lock", "TryLock", "Upgrade", "Describe", "Plan");
        row("holdfast.v1.LockService", "UUpDppp", "LeaseGrant", "LeaseExtend", "LeaseTimeToLive", "LeaseList");
        row("holdfast.v1.LockService", "UUpDppp", "Explain");
        row("holdfast.v1.LockService", "UUppppp", "Unlock", "Downgrade", "Cancel", "LeaseRevoke", "LeaseKeepAlive");
        row("holdfast.v1.LockService", "UUDpppp", "Get", "History", "Watch");
        row("holdfast.v1.LockService", "UUppppp", "List", "Session");
        row("holdfast.v1.Admin", "UUDDDDp", "MemberList", "Status", "StateHash", "LimitList");
        row("holdfast.v1.Admin", "UUDDDDp", "MemberAdd", "MemberRemove", "MemberReplace", "TransferLeadership");
        row("holdfast.v1.Admin", "UUDDDDp", "SnapshotSave", "Compact", "LimitSet", "FeatureLevelRaise");
        row("holdfast.v1.Admin", "UUDDDpp", "ForceRelease");
        row("holdfast.v1.Peer", "DDDDDDD", "Announce", "Join", "Ping", "Forward", "FetchSnapshot");
        row("grpc.health.v1.Health", "ppppppp", "Check", "Watch");
        row("grpc.reflection.v1.ServerReflection", "ppppppp", "ServerReflectionInfo");
    }

    private static void row(String service, String outcomes, String... calls) {
        for (String call : calls) {
            MATRIX.put(MethodDescriptor.generateFullMethodName(service, call), outcomes);
        }
    }

    private SecuredNode node;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        node = new SecuredNode(directory, Map.of());
    }

    @AfterAll
    void stop() {
        node.close();
    }

    @Test
    void every_call_there_is_has_a_line_and_a_permission() {
        Set<String> methods = new HashSet<>();
        SERVICES.forEach(service -> service.getMethods().forEach(method -> methods.add(method.getFullMethodName())));
        assertThat(MATRIX.keySet()).isEqualTo(methods);
        assertThat(methods)
                .allSatisfy(method -> assertThat(RpcPermissions.of(method)).isNotNull());
        assertThat(MATRIX.values()).allSatisfy(outcomes -> assertThat(outcomes).hasSize(CALLERS.size()));
    }

    @TestFactory
    Stream<DynamicTest> each_call_by_each_caller() {
        return SERVICES.stream()
                .flatMap(service -> service.getMethods().stream())
                .flatMap(method -> {
                    String expected = MATRIX.getOrDefault(method.getFullMethodName(), "");
                    List<String> names = List.copyOf(CALLERS.keySet());
                    return Stream.iterate(0, i -> i < names.size(), i -> i + 1)
                            .map(i -> dynamicTest(
                                    method.getFullMethodName() + " by " + names.get(i),
                                    () -> assertThat(outcome(method, tokenOf(names.get(i))))
                                            .isEqualTo(expected.charAt(i))));
                });
    }

    @Test
    void a_token_in_an_address_is_not_looked_at() {
        assertThat(status("/metrics?access_token=" + tokenOf("admin"), "")).isEqualTo(401);
        assertThat(status("/metrics", tokenOf("admin"))).isEqualTo(200);
    }

    private int status(String path, String token) {
        RequestHeaders headers = RequestHeaders.of(HttpMethod.GET, path);
        HttpRequest request = HttpRequest.of(
                token.isEmpty()
                        ? headers
                        : headers.withMutations(more -> more.add(HttpHeaderNames.AUTHORIZATION, "Bearer " + token)));
        return WebClient.of("http://127.0.0.1:" + node.port)
                .execute(request)
                .aggregate()
                .join()
                .status()
                .code();
    }

    private static String tokenOf(String caller) {
        return Objects.requireNonNull(CALLERS.get(caller));
    }

    @SuppressWarnings("unchecked")
    private char outcome(MethodDescriptor<?, ?> method, String token) throws Exception {
        MethodDescriptor<Message, Message> typed = (MethodDescriptor<Message, Message>) method;
        Channel channel = node.locks(token).getChannel();
        ClientCall<Message, Message> call = channel.newCall(typed, CallOptions.DEFAULT);
        CompletableFuture<Code> first = new CompletableFuture<>();
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(Message message) {
                        first.complete(
                                message instanceof WatchResponse watch
                                        ? watch.getError().getCode()
                                        : Code.OK);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        first.complete(codeOf(status, trailers));
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(request(((PrototypeMarshaller<Message>) typed.getRequestMarshaller()).getMessagePrototype()));
        call.halfClose();
        Code code = first.get(20, TimeUnit.SECONDS);
        call.cancel("seen enough", null);
        return switch (code) {
            case UNAUTHENTICATED -> 'U';
            case PERMISSION_DENIED -> 'D';
            default -> 'p';
        };
    }

    private static Code codeOf(Status status, Metadata trailers) {
        Code code = Errors.of(status.asRuntimeException(trailers))
                .map(Error::getCode)
                .orElse(Code.OK);
        // Whoever refuses says so in both ways.
        assertThat(status.getCode() == Status.Code.UNAUTHENTICATED).isEqualTo(code == Code.UNAUTHENTICATED);
        assertThat(status.getCode() == Status.Code.PERMISSION_DENIED).isEqualTo(code == Code.PERMISSION_DENIED);
        return code;
    }

    /** Names the key and the lease wherever a request can. */
    private static Message request(Message prototype) {
        Message.Builder builder = prototype.newBuilderForType();
        for (FieldDescriptor field : prototype.getDescriptorForType().getFields()) {
            switch (field.getName()) {
                case "name", "key" -> builder.setField(field, KEY);
                case "id", "lease_id" -> {
                    if (field.getJavaType() == FieldDescriptor.JavaType.LONG) {
                        builder.setField(field, LEASE);
                    }
                }
                case "ttl" -> builder.setField(field, 60L);
                default -> {}
            }
        }
        return builder.build();
    }
}
