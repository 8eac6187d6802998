package dev.holdfast.consensus.ratis;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what must come, and looks often: most of it comes within milliseconds. */
final class Awaiting {
    private Awaiting() {}

    static void until(Callable<Boolean> condition) {
        patiently().until(condition);
    }

    static void untilAsserted(ThrowingRunnable assertion) {
        patiently().untilAsserted(assertion);
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(20)).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }
}
