package dev.holdfast.client.grant;

import dev.holdfast.client.api.Loss;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How a grant ended: released or lost, whichever came first, and once.
 *
 * <pre>
 *   HELD --release--> RELEASED
 *     +-----lose----> LOST
 * </pre>
 */
final class GrantEnd {
    private static final Object RELEASED = new Object();

    private final AtomicReference<@Nullable Object> end = new AtomicReference<>();

    boolean isHeld() {
        return end.get() == null;
    }

    boolean isReleased() {
        return end.get() == RELEASED;
    }

    Optional<Loss> loss() {
        return end.get() instanceof Loss loss ? Optional.of(loss) : Optional.empty();
    }

    /** Whether this call released it. */
    boolean release() {
        return end.compareAndSet(null, RELEASED);
    }

    /** Whether this call lost it. */
    boolean lose(Loss loss) {
        return end.compareAndSet(null, loss);
    }
}
