package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LeaseKeepAliveRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveResponse;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.server.InstantLog.Behaviour;
import dev.holdfast.server.propose.BatchSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private static final BatchSettings IMPATIENT = new BatchSettings(
            1,
            4_096,
            64 * 1024,
            1024 * 1024,
            100_000,
            1,
            64L * 1024 * 1024,
            Duration.ofMillis(300),
            Duration.ofMillis(250),
            Duration.ofMillis(200));

    private final TestNode node = new TestNode(IMPATIENT);
    private final long lease = node.lease();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void node_that_does_not_lead_any_more_names_the_leader_and_does_nothing() {
        try (TestNode patient = new TestNode()) {
            long held = patient.lease();
            patient.log.behave(Behaviour.PAUSE);
            // A stamp of the time is on its way.
            await().until(() -> !patient.core.local().isIdle());
            Recorder<LockRequest, LockResponse> waiting = Recorder.eager();
            patient.streams().lock(TestNode.request(held, "a", 1).build(), waiting);
            await().until(() -> patient.core.local().queued() == 1);
            patient.log.follow(Optional.of(TestNode.OTHER.id()));
            Error error = Failing.error(Code.NO_LEADER, waiting.failure());
            assertThat(error.getLeader()).isEqualTo("n2:4000");
            assertThat(error.getUnknownOutcome()).isFalse();
            assertThat(error.getRetryAfterMs()).isPositive();
            Listening.nobody(patient.core.listeners());
        }
    }

    @Test
    void entry_that_is_never_heard_of_again_has_an_unknown_outcome() {
        node.log.behave(Behaviour.DROP);
        Error error = failedLock(Code.UNAVAILABLE);
        assertThat(error.getSubject()).isEqualTo("quorum");
        assertThat(error.getUnknownOutcome()).isTrue();
        Listening.nobody(node.core.listeners());
    }

    @Test
    void full_queue_is_a_quota_with_a_time_to_retry() {
        node.log.behave(Behaviour.PAUSE);
        List<Recorder<LockRequest, LockResponse>> calls = new ArrayList<>();
        for (int seq = 1; seq <= 10; seq++) {
            Recorder<LockRequest, LockResponse> call = Recorder.eager();
            node.streams().lock(TestNode.request(lease, "a", seq).build(), call);
            calls.add(call);
        }
        // Some are on their way or wait, and fail for want of an answer; for the rest there is no room.
        List<Error> errors = calls.stream()
                .map(call -> Errors.of(call.failure()).orElseThrow())
                .toList();
        assertThat(errors)
                .filteredOn(error -> error.getCode() == Code.QUOTA_EXCEEDED)
                .isNotEmpty()
                .allSatisfy(error -> {
                    assertThat(error.getSubject()).startsWith("queue");
                    assertThat(error.getActual()).isPositive();
                    assertThat(error.getLimit()).isLessThanOrEqualTo(error.getActual());
                    assertThat(error.getRetryAfterMs()).isPositive();
                    assertThat(error.getUnknownOutcome()).isFalse();
                });
    }

    @Test
    void keep_alive_fails_with_its_node_and_can_be_retried_elsewhere() {
        node.log.behave(Behaviour.REFUSE);
        Recorder<LeaseKeepAliveRequest, LeaseKeepAliveResponse> answers = Recorder.eager();
        node.streams()
                .leaseKeepAlive(answers)
                .onNext(LeaseKeepAliveRequest.newBuilder().setId(lease).build());
        Failing.error(Code.NO_LEADER, answers.failure());
    }

    private Error failedLock(Code code) {
        long before = node.revision();
        Error error = Failing.error(
                code,
                () -> node.locks.lock(
                        TestNode.request(lease, "a", 1).setTimeoutMs(-1).build()));
        assertThat(node.revision()).isEqualTo(before);
        return error;
    }
}
