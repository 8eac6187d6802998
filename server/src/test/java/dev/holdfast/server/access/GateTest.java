package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.server.grpc.GateInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import org.junit.jupiter.api.Test;

/** What declares no permission is not served. */
class GateTest {
    private static final HttpService HELLO = (context, request) -> HttpResponse.of(HttpStatus.OK);

    @Test
    void a_route_past_the_gate_keeps_a_node_from_starting() {
        HttpService guarded = Gate.OPEN.guard(Permission.READ, HELLO, error -> HttpResponse.of(HttpStatus.FORBIDDEN));
        Server sound = Server.builder().service("/sound", guarded).build();
        assertThatCode(() -> Gate.requireGuarded(sound.config())).doesNotThrowAnyException();
        Server open = Server.builder()
                .service("/sound", guarded)
                .service("/forgotten", HELLO)
                .build();
        assertThatThrownBy(() -> Gate.requireGuarded(open.config()))
                .hasMessageContaining("/forgotten")
                .hasMessageContaining("declares no permission");
    }

    @Test
    void a_call_without_a_line_in_the_table_keeps_a_node_from_starting() {
        MethodDescriptor<?, ?> known = LockServiceGrpc.getGetMethod();
        assertThatCode(() -> add(known)).doesNotThrowAnyException();
        MethodDescriptor<?, ?> forgotten = known.toBuilder()
                .setFullMethodName("holdfast.v1.LockService/Forgotten")
                .build();
        assertThatThrownBy(() -> add(forgotten))
                .hasMessageContaining("holdfast.v1.LockService/Forgotten")
                .hasMessageContaining("declares no permission");
    }

    private static <Q, R> void add(MethodDescriptor<Q, R> method) {
        ServerServiceDefinition service = ServerServiceDefinition.builder("holdfast.v1.LockService")
                .addMethod(method, ServerCalls.asyncUnaryCall((request, answers) -> answers.onCompleted()))
                .build();
        GateInterceptor.addTo(Server.builder(), Gate.OPEN, GrpcService.builder().addService(service));
    }
}
