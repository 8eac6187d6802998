package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import io.grpc.reflection.v1.ServerReflectionGrpc.ServerReflectionStub;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EdgeTest {
    private final TestNode node = new TestNode();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void reflection_lists_and_describes_the_services() {
        Recorder<ServerReflectionRequest, ServerReflectionResponse> answers = Recorder.eager();
        StreamObserver<ServerReflectionRequest> stream =
                node.client(ServerReflectionStub.class).serverReflectionInfo(answers);
        stream.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        assertThat(answers.next().getListServicesResponse().getServiceList())
                .extracting(ServiceResponse::getName)
                .contains(LockServiceGrpc.SERVICE_NAME, "grpc.health.v1.Health");
        stream.onNext(ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol(LockServiceGrpc.SERVICE_NAME)
                .build());
        assertThat(answers.next().getFileDescriptorResponse().getFileDescriptorProtoCount())
                .isPositive();
        stream.onCompleted();
        answers.awaitCompletion();
    }

    @Test
    void health_follows_the_node() {
        HealthBlockingStub health = node.client(HealthBlockingStub.class);
        await().until(() -> health.check(HealthCheckRequest.getDefaultInstance())
                .getStatus()
                .equals(ServingStatus.SERVING));
        node.log.stepDown();
        await().until(() -> health.check(HealthCheckRequest.getDefaultInstance())
                .getStatus()
                .equals(ServingStatus.NOT_SERVING));
    }

    @Test
    void message_that_is_too_large_is_refused_and_changes_nothing() {
        long lease = node.lease();
        long before = node.revision();
        Throwable failure = catchThrowable(() -> node.locks.lock(TestNode.request(lease, "a", 1)
                .setMetadata(ByteString.copyFrom(new byte[GrpcEdge.MAX_REQUEST_BYTES]))
                .build()));
        Error error = Failing.error(Code.QUOTA_EXCEEDED, failure);
        assertThat(error.getSubject()).isEqualTo("message");
        assertThat(error.getLimit()).isEqualTo(GrpcEdge.MAX_REQUEST_BYTES);
        assertThat(node.revision()).isEqualTo(before);
    }
}
