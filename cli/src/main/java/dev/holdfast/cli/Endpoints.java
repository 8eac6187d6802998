package dev.holdfast.cli;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.holdfast.protocol.v1.AdminGrpc;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The addresses a command talks to. */
final class Endpoints {
    @Option(
            names = {"-e", "--endpoints"},
            paramLabel = "HOST:PORT",
            split = ",",
            defaultValue = "${env:HOLDFAST_ENDPOINTS:-127.0.0.1:4600}",
            description = "client addresses of the cluster (default: $$HOLDFAST_ENDPOINTS, else 127.0.0.1:4600)")
    private List<String> addresses = List.of();

    List<String> addresses() {
        return addresses;
    }

    /** Asks one node. */
    <T> T ask(String address, Duration timeout, Function<AdminGrpc.AdminBlockingStub, T> question) {
        try (ClientFactory factory =
                ClientFactory.builder().connectTimeout(Duration.ofSeconds(2)).build()) {
            return question.apply(GrpcClients.builder("gproto+http://" + address + "/")
                    .factory(factory)
                    .responseTimeout(timeout)
                    .maxResponseLength(0)
                    .build(AdminGrpc.AdminBlockingStub.class));
        }
    }

    /** Asks the first node that answers. */
    <T> T askAny(Duration timeout, Function<AdminGrpc.AdminBlockingStub, T> question) {
        StatusRuntimeException last = null;
        for (String address : addresses) {
            try {
                return ask(address, timeout, question);
            } catch (StatusRuntimeException e) {
                last = e;
            }
        }
        throw last == null ? new IllegalArgumentException("no endpoints") : last;
    }
}
