package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.fair.Excess;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.RequestFailure;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What fails with an error of the JVM is told to the node on its way to the caller. */
@Timeout(60)
class UnexpectedFailureTest {
    private final TestNode node = new TestNode();
    private final Failures failures = new Failures(node.core.neighbours(), node.core::failed);

    @Test
    void a_request_that_fails_for_want_of_memory_ends_the_node() {
        Rejection rejection = failures.rejection(new CompletionException(new OutOfMemoryError("planted")));
        assertThat(rejection.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(rejection.unknownOutcome()).isTrue();
        assertThatThrownBy(node::close).hasMessageContainingAll("a request failed for good", "planted");
    }

    @Test
    void a_limit_that_is_met_when_something_is_done_is_no_refusal() {
        RequestFailure full = RequestFailure.overloaded(new Excess("queue", 5, 6, "full"));
        assertThat(failures.rejection(full).code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
        assertThat(Failures.isRefusal(full)).isTrue();
        Throwable late = RequestFailure.afterSomeEffect(new CompletionException(full));
        Rejection rejection = failures.rejection(late);
        assertThat(rejection.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(rejection.unknownOutcome()).isTrue();
        assertThat(rejection.subject()).isEqualTo("queue");
        assertThat(Failures.isRefusal(late)).isFalse();
        node.close();
    }

    @Test
    void one_that_is_too_deep_or_plainly_wrong_ends_nothing() {
        failures.rejection(new StackOverflowError("planted"));
        failures.rejection(new IllegalStateException("planted"));
        node.close();
    }
}
