package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.core.Limit;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.InstantLog.Behaviour;
import dev.holdfast.server.fair.Flow;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node that gets nowhere says so, where load balancers look. */
class ReadinessTest {
    private final TestNode node = new TestNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private ServingStatus health() {
        return node.client(HealthBlockingStub.class)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus();
    }

    @Test
    void a_node_whose_log_hangs_is_not_ready_until_the_log_goes_on() {
        await().until(() -> node.core.problem().isEmpty());
        node.log.behave(Behaviour.PAUSE);
        var waiting = node.core.requests().submit(Flow.OF_NODE, new Command.SetLimit(Limit.TTL_MIN_MILLIS, 2));
        await().until(() -> node.core.problem().isPresent());
        assertThat(node.core.problem()).get().asString().contains("nothing was applied for", "requests wait");
        await().until(() -> health() == ServingStatus.NOT_SERVING);
        node.log.behave(Behaviour.APPLY);
        await().until(() -> node.core.problem().isEmpty());
        await().until(() -> health() == ServingStatus.SERVING);
        assertThat(waiting).isDone();
    }
}
