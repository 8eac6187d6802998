package dev.holdfast.client;

import dev.holdfast.client.api.Loss;
import dev.holdfast.client.session.SessionEvents;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a client does, as meters of a registry. No meter is per key: the number of keys is unbounded. */
final class ClientMeters implements SessionEvents {
    private final Timer wait;
    private final Timer hold;
    private final Counter timeouts;
    private final Counter connections;
    private final Map<Loss.Reason, Counter> losses = new EnumMap<>(Loss.Reason.class);

    ClientMeters(MeterRegistry registry) {
        wait = Timer.builder("holdfast.client.wait")
                .description("from asking for a lock to having it")
                .register(registry);
        hold = Timer.builder("holdfast.client.hold")
                .description("from having a lock to giving it back")
                .register(registry);
        timeouts = Counter.builder("holdfast.client.timeouts")
                .description("locks that could not be acquired in time")
                .register(registry);
        connections = Counter.builder("holdfast.client.connections")
                .description("streams opened to the cluster")
                .register(registry);
        for (Loss.Reason reason : Loss.Reason.values()) {
            losses.put(
                    reason,
                    Counter.builder("holdfast.client.lost")
                            .description("grants that were lost")
                            .tag("reason", reason.name())
                            .register(registry));
        }
    }

    @Override
    public void connected() {
        connections.increment();
    }

    @Override
    public void acquired(long waitNanos) {
        wait.record(waitNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void timedOut() {
        timeouts.increment();
    }

    @Override
    public void released(long heldNanos) {
        hold.record(heldNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void lost(Loss loss) {
        Counter counter = losses.get(loss.reason());
        if (counter != null) {
            counter.increment();
        }
    }
}
