package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.ForceReleaseRequest;
import dev.holdfast.protocol.v1.ForceReleaseResponse;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.testports.TestPorts;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One clear line, the right exit code, never a stack trace. */
@Timeout(180)
class BadInputTest {
    @TempDir
    Path root;

    private static String unreachable() {
        return "127.0.0.1:" + TestPorts.next();
    }

    private static void assertOneLine(Run run, int code, String... parts) {
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).hasLineCount(1).contains(parts);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void an_unreachable_cluster_is_69_and_says_where_to_look() throws Exception {
        String nowhere = unreachable();

        assertOneLine(
                Subprocess.run(nowhere, "ls"), ExitCode.UNAVAILABLE, "holdfast ls: ", nowhere, "HOLDFAST_ENDPOINTS");
        assertOneLine(
                Subprocess.run(nowhere, "run", "x", "--timeout", "1s", "--", "echo", "ran"),
                ExitCode.UNAVAILABLE,
                "holdfast run: ",
                nowhere,
                "HOLDFAST_ENDPOINTS");
    }

    @Test
    void a_missing_command_is_64() throws Exception {
        Run run = Subprocess.run("127.0.0.1:1", "run", "x", "--");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("holdfast run: Say what to run after --, for example: holdfast run x -- make");
    }

    @Test
    void a_wrong_option_suggests_the_right_one() {
        Run run = Run.of("", "run", "x", "--no-wiat", "--", "true");

        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("Unknown option: '--no-wiat'", "Did you mean: --no-wait?");
    }

    @Test
    void wrong_values_are_64_and_named() {
        assertThat(Run.of("", "run", "x", "--ttl", "10", "--", "true").err())
                .contains("--ttl", "'10' is not a duration", "30s");
        assertThat(Run.of("", "run", "x", "-s", "-n", "2", "--", "true").code()).isEqualTo(ExitCode.USAGE);
        assertThat(Run.of("", "ls", "-o", "xml").err()).contains("--output", "xml");
        assertOneLine(Run.of("", "ls", "-e", "nowhere"), ExitCode.USAGE, "'nowhere' is not host:port");
        assertOneLine(Run.of("", "ls", "--cacert", "/no/such/file"), ExitCode.USAGE, "--cacert", "/no/such/file");
        assertOneLine(Run.of("", "ls", "--auth-token-file", "/no/such/file"), ExitCode.USAGE, "--auth-token-file");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_wrong_token_is_77_and_the_right_one_is_sent(boolean byProxy) throws Exception {
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        Server server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(new Refusing(byProxy))
                .addService(new RefusingAdmin())
                .intercept(new ServerInterceptor() {
                    @Override
                    public <Q, A> ServerCall.Listener<Q> interceptCall(
                            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                        seen.add(String.valueOf(
                                headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER))));
                        return next.startCall(call, headers);
                    }
                })
                .build()
                .start();
        try {
            String address = "127.0.0.1:" + server.getPort();
            Path token = Files.writeString(root.resolve("token"), "wrong\n");

            assertOneLine(
                    Run.of("", "ls", "-e", address, "--auth-token-file", token.toString()),
                    ExitCode.DENIED,
                    "UNAUTHENTICATED",
                    "HOLDFAST_AUTH_TOKEN");
            try (Subprocess run = Subprocess.start(
                    Map.of("HOLDFAST_ENDPOINTS", address, "HOLDFAST_AUTH_TOKEN", "wrong"),
                    List.of("run", "x", "--", "echo", "ran"))) {
                assertOneLine(run.await(), ExitCode.DENIED, "holdfast run: UNAUTHENTICATED");
            }
            assertOneLine(
                    Run.of("", "break", "x", "--grant", "1", "--reason", "r", "-e", address),
                    ExitCode.DENIED,
                    "PERMISSION_DENIED");
            assertThat(seen).contains("Bearer wrong", "null").doesNotContain("Bearer wrong\n");
        } finally {
            server.shutdownNow();
        }
    }

    private static final class Refusing extends LockServiceGrpc.LockServiceImplBase {
        private final boolean byProxy;

        Refusing(boolean byProxy) {
            this.byProxy = byProxy;
        }

        /** Whoever stands before a node knows nothing of our errors. */
        private RuntimeException refusal() {
            return byProxy
                    ? Status.UNAUTHENTICATED.asRuntimeException()
                    : Errors.toException(Errors.of(Code.UNAUTHENTICATED, "token", "the token is not valid"));
        }

        @Override
        public void list(ListRequest request, StreamObserver<ListResponse> answer) {
            answer.onError(refusal());
        }

        @Override
        public StreamObserver<ClientFrame> session(StreamObserver<ServerFrame> answers) {
            answers.onError(refusal());
            return new StreamObserver<>() {
                @Override
                public void onNext(ClientFrame frame) {}

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {}
            };
        }
    }

    private static final class RefusingAdmin extends AdminGrpc.AdminImplBase {
        @Override
        public void forceRelease(ForceReleaseRequest request, StreamObserver<ForceReleaseResponse> answer) {
            answer.onError(Errors.toException(Errors.of(Code.PERMISSION_DENIED, "x", "you may not break this lock")));
        }
    }
}
