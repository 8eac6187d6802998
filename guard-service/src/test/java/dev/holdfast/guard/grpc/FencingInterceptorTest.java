package dev.holdfast.guard.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.MemoryGuard;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The interceptors between a real gRPC server and a real client. */
@Timeout(60)
class FencingInterceptorTest {
    private static final MethodDescriptor<String, String> PUT = method(MethodType.UNARY, "Put");
    private static final MethodDescriptor<String, String> PUT_ALL = method(MethodType.CLIENT_STREAMING, "PutAll");
    private static final MethodDescriptor<String, String> PING = method(MethodType.UNARY, "Ping");

    private final List<String> written = new CopyOnWriteArrayList<>();
    private final MemoryGuard guard = new MemoryGuard();
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder("Documents")
                        .addMethod(PUT, ServerCalls.asyncUnaryCall(this::put))
                        .addMethod(PING, ServerCalls.asyncUnaryCall(this::put))
                        .addMethod(PUT_ALL, ServerCalls.asyncClientStreamingCall(this::putAll))
                        .build())
                .intercept(new FencingServerInterceptor(
                        guard, (method, headers) -> method == PING ? Optional.empty() : Optional.of("docs")))
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
    }

    @Test
    void stale_call_ends_with_both_tokens_and_does_not_reach_the_handler() {
        assertThat(put(Access.exclusive("docs", 34), "new")).isEqualTo("NEW");
        assertThatThrownBy(() -> put(Access.exclusive("docs", 33), "old"))
                .isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
                    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
                    assertThat(refused.getStatus().getDescription()).startsWith("STALE_TOKEN: ");
                    assertThat(refused.getTrailers().get(FencingMetadata.REFUSAL))
                            .contains("\"error\":\"STALE_TOKEN\"", "\"presented\":\"33\"", "\"highest\":\"34\"");
                });
        assertThat(put(Access.exclusive("docs", 34), "again")).isEqualTo("NEW");
        assertThat(written).containsExactly("new", "again");
    }

    @Test
    void token_that_is_absent_or_for_another_key_is_refused_by_name() {
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(channel, PUT, CallOptions.DEFAULT, "x"))
                .isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
                    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                    assertThat(refused.getTrailers().get(FencingMetadata.REFUSAL))
                            .contains("\"field\":\"token\"");
                });
        assertThatThrownBy(() -> put(Access.exclusive("other", 33), "x"))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        refused -> assertThat(refused.getTrailers().get(FencingMetadata.REFUSAL))
                                .contains("\"field\":\"key\""));
        assertThat(written).isEmpty();
    }

    @Test
    void what_no_key_guards_needs_no_token() {
        assertThat(ClientCalls.blockingUnaryCall(channel, PING, CallOptions.DEFAULT, "x"))
                .isEqualTo("null");
    }

    @Test
    void numbered_write_is_recognised() {
        assertThat(put(Access.exclusive("docs", 33).write(1), "one")).isEqualTo("NEW");
        assertThat(put(Access.exclusive("docs", 33).write(1), "one")).isEqualTo("REPEATED");
    }

    @Test
    void numbered_write_that_failed_may_come_again() {
        Access write = Access.exclusive("docs", 33).write(1);
        assertThatThrownBy(() -> put(write, "fail")).hasMessageContaining("ABORTED");
        assertThat(put(write, "one")).isEqualTo("NEW");
        assertThat(put(write, "one")).isEqualTo("REPEATED");
    }

    /** What another thread does after the handler returned is done outside the guard. */
    @Test
    void call_that_its_handler_leaves_to_another_thread_is_no_success() {
        Access write = Access.exclusive("docs", 33).write(1);
        assertThatThrownBy(() -> put(write, "later"))
                .hasMessageContaining("INTERNAL")
                .hasMessageContaining("left its fencing guard");
        assertThat(put(write, "one")).isEqualTo("NEW");
    }

    @Test
    void stream_whose_lock_goes_to_another_in_between_ends_there() throws Exception {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        StreamObserver<String> stream = ClientCalls.asyncClientStreamingCall(
                fenced(Access.exclusive("docs", 33)).newCall(PUT_ALL, CallOptions.DEFAULT), into(outcome));
        stream.onNext("one");
        await().until(() -> written.contains("one"));
        put(Access.exclusive("docs", 34), "new");
        stream.onNext("two");
        assertThatThrownBy(outcome::get).isInstanceOf(ExecutionException.class).hasMessageContaining("STALE_TOKEN");
        assertThat(written).containsExactly("one", "new");
    }

    @Test
    void stream_is_not_one_numbered_write() {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        ClientCalls.asyncClientStreamingCall(
                        fenced(Access.exclusive("docs", 33).write(1)).newCall(PUT_ALL, CallOptions.DEFAULT),
                        into(outcome))
                .onCompleted();
        assertThatThrownBy(outcome::get).hasMessageContaining("INVALID_ARGUMENT");
    }

    private String put(Access access, String text) {
        return ClientCalls.blockingUnaryCall(fenced(access), PUT, CallOptions.DEFAULT, text);
    }

    private Channel fenced(Access access) {
        return ClientInterceptors.intercept(channel, new FencingClientInterceptor(access));
    }

    private void put(String text, StreamObserver<String> answer) {
        switch (text) {
            case "fail" -> {
                answer.onError(Status.ABORTED.asRuntimeException());
                return;
            }
            case "later" -> {
                return;
            }
            default -> written.add(text);
        }
        answer.onNext(String.valueOf(FencingMetadata.ENTRY.get()));
        answer.onCompleted();
    }

    private StreamObserver<String> putAll(StreamObserver<String> answer) {
        return new StreamObserver<>() {
            @Override
            public void onNext(String text) {
                written.add(text);
            }

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onCompleted() {
                answer.onNext("done");
                answer.onCompleted();
            }
        };
    }

    private static StreamObserver<String> into(CompletableFuture<String> outcome) {
        return new StreamObserver<>() {
            @Override
            public void onNext(String text) {
                outcome.complete(text);
            }

            @Override
            public void onError(Throwable failure) {
                outcome.completeExceptionally(failure);
            }

            @Override
            public void onCompleted() {}
        };
    }

    private static MethodDescriptor<String, String> method(MethodType type, String name) {
        return MethodDescriptor.<String, String>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("Documents", name))
                .setRequestMarshaller(new Text())
                .setResponseMarshaller(new Text())
                .build();
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream bytes) {
            try {
                return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
