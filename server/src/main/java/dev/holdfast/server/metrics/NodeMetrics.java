package dev.holdfast.server.metrics;

import dev.holdfast.consensus.Role;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.propose.Batcher;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.replica.ReplicaListener;
import dev.holdfast.server.replica.ReplicaListener.AppliedEntry;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The node's figures, served as Prometheus reads them.
 *
 * <p>What is counted per event is counted on every node as it applies; what is counted per proposal only on a leader.
 */
public final class NodeMetrics implements Batcher.Metrics, ReplicaListener {
    private static final Duration[] LATENCIES = {
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    /** What is sent to those who do not ask for another format: Prometheus' text. */
    private static final String PLAIN_TEXT = "text/plain; charset=utf-8";

    private final ExpositionFormats formats = ExpositionFormats.init();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final TracedCalls tracedCalls = new TracedCalls(registry.getPrometheusRegistry());
    private final Counter proposals = registry.counter("holdfast.proposals");
    private final DistributionSummary batchCommands = registry.summary("holdfast.batch.commands");
    private final DistributionSummary batchRenewals = registry.summary("holdfast.batch.renewals");
    private final Timer commit = timer("holdfast.commit.latency", "from the proposal of an entry to its application");
    private final Timer queueWait = timer("holdfast.queue.wait", "from joining a lock's queue to the grant");
    private final Counter grants = registry.counter("holdfast.grants");
    private final Counter releases = registry.counter("holdfast.releases");
    private final Counter expiries = registry.counter("holdfast.expiries");
    private final Counter elections = registry.counter("holdfast.elections");
    private final LockReplica replica;
    private final LongSupplier wallMillis;
    private final AtomicInteger waiters = new AtomicInteger();
    private final AtomicInteger leader = new AtomicInteger();
    private final AtomicLong lagMillis = new AtomicLong();

    public NodeMetrics(LockReplica replica, LongSupplier wallMillis) {
        this.replica = replica;
        this.wallMillis = wallMillis;
        gauge("holdfast.leases", () -> replica.<Integer>ask(MachineView::leaseCount));
        gauge("holdfast.locks", () -> replica.<Integer>ask(MachineView::lockCount));
        gauge("holdfast.waiters", waiters::get);
        gauge("holdfast.leader", leader::get);
        // By the wall clocks of two nodes, so no better than they agree: for people, nothing is decided by it.
        Gauge.builder("holdfast.apply.lag.seconds", lagMillis, lag -> lag.get() / 1_000.0)
                .description("from the proposal of the newest entry applied here to its application")
                .register(registry);
        Gauge.builder("holdfast.applied.index", replica, LockReplica::appliedIndex)
                .register(registry);
        Gauge.builder("holdfast.term", replica, LockReplica::appliedTerm).register(registry);
    }

    /** Adds a figure that is looked up when it is asked for. */
    public void gauge(String name, IntSupplier value) {
        // Nobody else keeps the supplier, and a gauge whose subject was collected is no number.
        Gauge.builder(name, value, IntSupplier::getAsInt).strongReference(true).register(registry);
    }

    private Timer timer(String name, String description) {
        return timer(name, description, registry);
    }

    private static Timer timer(String name, String description, MeterRegistry registry) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(LATENCIES)
                .register(registry);
    }

    /** How many requests wait for a lock. */
    public int waiters() {
        return waiters.get();
    }

    /**
     * The format for one who accepts this: OpenMetrics or protobuf if it is asked for, else Prometheus' text.
     *
     * @param accept as the header of a request has it
     */
    public String contentType(@Nullable String accept) {
        ExpositionFormatWriter writer = formats.findWriter(accept);
        return writer == formats.getPrometheusTextFormatWriter() ? PLAIN_TEXT : writer.getContentType();
    }

    /** All figures, in a format that {@link #contentType} named. */
    public byte[] scrape(String contentType) {
        ByteArrayOutputStream figures = new ByteArrayOutputStream();
        try {
            registry.scrape(figures, contentType);
        } catch (IOException e) {
            throw new UncheckedIOException("an array cannot be written to", e);
        }
        return figures.toByteArray();
    }

    /**
     * Begins to time a call if its caller traces it: the trace becomes an exemplar of how long such calls take.
     *
     * @param traceparent W3C's header, if the call has one
     * @return to be run when the call is answered
     */
    public Optional<Runnable> trace(@Nullable String traceparent) {
        return traceparent == null ? Optional.empty() : tracedCalls.begin(traceparent);
    }

    public void roleChanged(Role role) {
        boolean leads = role instanceof Role.Leading;
        if (leads) {
            elections.increment();
        }
        leader.set(leads ? 1 : 0);
    }

    @Override
    public void proposed(int commands, int renewals) {
        proposals.increment();
        batchCommands.record(commands);
        batchRenewals.record(renewals);
    }

    @Override
    public void applied(long nanosSinceProposed) {
        commit.record(nanosSinceProposed, TimeUnit.NANOSECONDS);
    }

    @Override
    public void applied(AppliedEntry entry) {
        lagMillis.set(Math.max(0, wallMillis.getAsLong() - entry.batch().wallMillis()));
        for (Event event : entry.applied().events()) {
            count(event);
        }
    }

    private void count(Event event) {
        switch (event.kind()) {
            case GRANTED -> {
                grants.increment();
                waited((Event.Granted) event);
            }
            case RELEASED -> {
                releases.increment();
                expiries.increment(((Event.Released) event).reason() == EndReason.MAX_HOLD ? 1 : 0);
            }
            case LEASE_ENDED ->
                expiries.increment(((Event.LeaseEnded) event).reason() == EndReason.LEASE_EXPIRED ? 1 : 0);
            case QUEUED -> waiters.incrementAndGet();
            case LEFT -> waiters.decrementAndGet();
            case MODE_CHANGED -> {
                if (((Event.ModeChanged) event).seq() > 0) {
                    waiters.updateAndGet(count -> Math.max(0, count - 1));
                }
            }
            case LEASE_STARTED, LEASE_EXTENDED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    /** How long it waited is known while its place in the queue is still in the history. */
    private void waited(Event.Granted granted) {
        if (granted.queuedRevision() == 0) {
            return;
        }
        waiters.decrementAndGet();
        replica.ask(view -> {
            if (granted.queuedRevision() >= view.oldestRevision()) {
                long since = view.event(granted.queuedRevision()).at();
                queueWait.record(granted.at() - since, TimeUnit.MILLISECONDS);
            }
            return view;
        });
    }

    @Override
    public void replaced(MachineView view, long index) {
        waiters.set(view.countWaiting());
    }

    /**
     * Times the calls whose callers trace them.
     *
     * <p>Over a registry of its own, for in a registry that knows of traces every counter asks for them.
     */
    private static final class TracedCalls implements SpanContext {
        /** A trace and the caller's span in it, of one who keeps the trace: the last bit is "sampled". */
        private static final Pattern SAMPLED = Pattern.compile(
                "(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f][13579bdf](-.*)?");

        private final Timer timer;
        /** Of the call that is recorded at the moment. */
        private @Nullable MatchResult recorded;

        TracedCalls(PrometheusRegistry figures) {
            timer = timer(
                    "holdfast.traced.calls",
                    "calls with a sampled traceparent, from their arrival to the answer",
                    new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, figures, Clock.SYSTEM, this));
        }

        Optional<Runnable> begin(String traceparent) {
            Matcher trace = SAMPLED.matcher(traceparent);
            if (!trace.matches()) {
                return Optional.empty();
            }
            Timer.Sample time = Timer.start();
            return Optional.of(() -> record(time, trace));
        }

        private synchronized void record(Timer.Sample time, MatchResult trace) {
            recorded = trace;
            time.stop(timer);
            recorded = null;
        }

        @Override
        public synchronized @Nullable String getCurrentTraceId() {
            return recorded == null ? null : recorded.group(1);
        }

        @Override
        public synchronized @Nullable String getCurrentSpanId() {
            return recorded == null ? null : recorded.group(2);
        }

        @Override
        public synchronized boolean isCurrentSpanSampled() {
            return recorded != null;
        }

        /** The span is the caller's. */
        @Override
        public void markCurrentSpanAsExemplar() {}
    }
}
