package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.chaos.Vitals.Quiet;
import dev.holdfast.protocol.v1.LimitSetRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything at once, for long: clients of every kind, and nodes that are killed, stand still, restart and hand on, in
 * rounds. After each round all clients stop, and what they were told is checked.
 *
 * <p>One node's process lives from the beginning to the end. Its heap has its full size and every page of it from the
 * start, so what its resident memory gains is memory outside the heap; what lives in the heap is measured between the
 * rounds, after a collection. A part of the time is left out: until the history is full, and what is remembered of ended
 * leases for ten minutes has come to its full size. In the last third no process is ended, so there are figures of the
 * other two.
 */
class SoakTest {
    private static final int MINUTES = Integer.getInteger("holdfast.soak.minutes", Figures.times(0, 60));
    private static final Map<String, String> SETTINGS =
            Map.of("election-profile", "fast", "snapshot-after-bytes", "4MB");
    private static final String SURVIVOR = "n1";

    /** So that the history is full early: until then it grows. */
    private static final int HISTORY_EVENTS = 20_000;

    /** Shorter, the figures say nothing about an hour. */
    private static final int MEANINGFUL_MINUTES = 30;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private final Beliefs beliefs = new Beliefs();
    private final Audit audit = new Audit();
    private final HttpDoor http = new HttpDoor();
    private final Map<String, Vitals> vitals = new HashMap<>();
    private final Map<String, List<Quiet>> quiet = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
    private final long begun = System.nanoTime();
    private int grants;
    private int acts;
    private int failed;

    @Test
    void nothing_is_lost_and_nothing_grows() throws Exception {
        try (Cluster cluster = Cluster.prepare(root, 3, SETTINGS)) {
            for (String name : List.of("n1", "n2", "n3")) {
                cluster.node(name)
                        .with(Map.of(
                                "JAVA_TOOL_OPTIONS", "-Xms256m -XX:+AlwaysPreTouch -XX:NativeMemoryTracking=summary"));
            }
            cluster.startAll().awaitAll();
            var limits = cluster.clients()
                    .admin(cluster.awaitLeader().clientAddress())
                    .limitSet(LimitSetRequest.newBuilder()
                            .setName("HISTORY_EVENTS")
                            .setValue(HISTORY_EVENTS)
                            .build());
            assertThat(limits.getLimitsList()).anyMatch(limit -> limit.getValue() == HISTORY_EVENTS);
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            SoakFaults faults = new SoakFaults(cluster, SURVIVOR, random);
            ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor();
            try {
                var unused = sampler.scheduleAtFixedRate(this::sample, 0, MINUTES == 0 ? 1 : 5, TimeUnit.SECONDS);
                look(cluster);
                if (MINUTES == 0) {
                    round(cluster, events, 1, () -> {
                        for (String fault : List.of("stood still", "leader killed", "log compacted")) {
                            faults.run(fault);
                        }
                    });
                } else {
                    rounds(cluster, events, faults);
                }
            } finally {
                sampler.shutdownNow();
            }
            tell(faults);
        }
    }

    /** What is done to the nodes in a round. */
    private interface Play {
        void run() throws Exception;
    }

    private void rounds(Cluster cluster, EventLog events, SoakFaults faults) throws Exception {
        long first = System.nanoTime();
        long whole = TimeUnit.MINUTES.toNanos(MINUTES);
        long each = Math.min(TimeUnit.MINUTES.toNanos(4), whole / 3);
        for (int number = 1; System.nanoTime() - first < whole; number++) {
            long started = System.nanoTime();
            boolean mayEnd = started - first < whole * 2 / 3;
            round(cluster, events, number, () -> {
                while (System.nanoTime() - started < each) {
                    pass(Duration.ofMillis(random.nextInt(2_000, 10_000)));
                    faults.one(mayEnd);
                }
            });
        }
    }

    private void round(Cluster cluster, EventLog events, int number, Play play) throws Exception {
        List<String> addresses = cluster.addresses();
        Queue<Load.Grant> told = new ConcurrentLinkedQueue<>();
        Load load = new Load(cluster.clients(), addresses, 3, 2)
                .under("load/" + number + "/")
                .perSecond(30)
                .start();
        RecordedLoad recorded = new RecordedLoad(cluster.clients(), addresses, 3, 2)
                .under("recorded/" + number + "/")
                .resting(Duration.ofMillis(40))
                .start();
        try (SoakClients clients = new SoakClients(String.join(",", addresses), beliefs, told)) {
            SoakDoors doors = new SoakDoors(cluster.clients(), addresses, http, beliefs, told);
            SoakLoad mixed =
                    new SoakLoad().add(4, clients.acts()).add(3, doors.acts()).start();
            KillTest.progress(load, 20);
            play.run();
            KillTest.progress(load, 20);
            mixed.stop();
            load.stop();
            recorded.stop();
            assertThat(mixed.faults()).isEmpty();
            acts += mixed.done();
            failed += mixed.failed();
        }
        assertThat(load.faults()).isEmpty();
        assertThat(beliefs.faults()).isEmpty();
        beliefs.sweep();
        events.catchUp();
        events.drainTo(audit);
        audit.confirm(load.grants(), load.releases());
        audit.confirm(told, List.of());
        grants += load.grants().size() + told.size();
        recorded.assertLinearizable();
        cluster.assertStatesEqual();
        look(cluster);
    }

    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusMinutes(1)).until(() -> true);
    }

    private void sample() {
        for (Vitals each : processes()) {
            try {
                if (each.isSame()) {
                    each.sample();
                }
            } catch (IOException | RuntimeException e) {
                // It has just ended.
            }
        }
    }

    private synchronized List<Vitals> processes() {
        return new ArrayList<>(vitals.values());
    }

    /** Looks at every process while nobody asks anything; at new ones for the first time. */
    private synchronized void look(Cluster cluster) throws IOException, InterruptedException {
        for (NodeProcess node : cluster.running()) {
            Vitals known = vitals.get(node.name());
            if (known == null || !known.isSame()) {
                known = new Vitals(node);
                vitals.put(node.name(), known);
                quiet.put(node.name(), new ArrayList<>());
            }
            quiet.getOrDefault(node.name(), new ArrayList<>()).add(known.quiet());
            if (known.seconds() >= warmUp(node.name()) * MINUTES * 60) {
                known.remember();
            }
        }
    }

    private synchronized void tell(SoakFaults faults) throws IOException, InterruptedException {
        Figures.tell(
                "T29",
                "%d s: %d things done by clients of every kind (%d not done, no node could), %d grants they were told of,"
                        + " %d events: none lost, no two holders, histories linearizable, states equal; %s",
                (System.nanoTime() - begun) / 1_000_000_000,
                acts,
                failed,
                grants,
                audit.seen(),
                faults.done());
        Vitals survivor = Objects.requireNonNull(vitals.get(SURVIVOR));
        String outside = survivor.outsideTheHeap();
        if (MINUTES > 0) {
            System.out.println(outside);
        }
        assertThat(survivor.isSame()).as("%s lives", SURVIVOR).isTrue();
        List<Steady> all = new ArrayList<>();
        vitals.forEach((name, process) ->
                all.add(Steady.of(name, process, quiet.getOrDefault(name, List.of()), warmUp(name))));
        if (MINUTES > 0) {
            all.forEach(Steady::tell);
        }
        for (Steady steady : all) {
            steady.assertDescriptorsFlat();
            if (MINUTES >= MEANINGFUL_MINUTES && steady.name().equals(SURVIVOR)) {
                steady.assertMemoryFlat(outside);
            }
        }
    }

    private static double warmUp(String name) {
        return name.equals(SURVIVOR) ? 0.3 : 0.5;
    }
}
