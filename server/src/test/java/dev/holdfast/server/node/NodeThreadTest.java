package dev.holdfast.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.propose.ProposingThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever ends a thread's work ends the node: an executor would keep it to itself. */
class NodeThreadTest {
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final NodeThread thread = new NodeThread("holdfast-test", this::failed);

    private void failed(String message, @Nullable Throwable cause) {
        failures.add(message + ": " + cause);
    }

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @Test
    void an_error_in_a_task_ends_the_node() {
        thread.execute(() -> {
            throw new OutOfMemoryError("planted");
        });
        await().until(() -> !failures.isEmpty());
        assertThat(failures).singleElement().asString().contains("holdfast-test", "planted");
    }

    @Test
    void a_repeated_task_that_fails_would_never_run_again_and_ends_the_node() {
        var unused = thread.scheduleWithFixedDelay(
                () -> {
                    throw new IllegalStateException("planted");
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        await().until(() -> !failures.isEmpty());
        assertThat(failures).singleElement().asString().contains("planted");
    }

    @Test
    void a_single_task_may_fail_or_be_taken_back() {
        thread.execute(() -> {
            throw new IllegalStateException("planted");
        });
        thread.schedule(() -> {}, 1, TimeUnit.HOURS).cancel(false);
        var done = thread.submit(() -> "done");
        await().until(done::isDone);
        assertThat(failures).isEmpty();
    }

    @Test
    void a_proposing_thread_that_throws_ends_the_node() {
        ProposingThread proposing = new ProposingThread(this::failed);
        proposing.start(() -> {
            throw new OutOfMemoryError("planted");
        });
        await().until(() -> !failures.isEmpty());
        assertThat(failures).singleElement().asString().contains("the proposing thread failed", "planted");
        proposing.close();
    }
}
