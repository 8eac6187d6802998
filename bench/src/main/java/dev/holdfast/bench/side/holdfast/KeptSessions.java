package dev.holdfast.bench.side.holdfast;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.CpuTime;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.report.Findings;
import dev.holdfast.bench.side.workload.Workload;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.ServerMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many leases are kept alive and nothing else is done: what that costs.
 *
 * <p>Each is renewed at a third of its TTL. They share some connections, as those of many users behind a few gateways
 * do; each connection renews a part of its leases every second.
 */
public final class KeptSessions implements Workload {
    public static final String ALL = "cores, servers and client";

    private static final int SESSIONS = 100_000;
    private static final int CONNECTIONS = 16;
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int PARTS = 10;
    private static final long PART_NANOS = TTL.toNanos() / 3 / PARTS;
    private static final long GONE = -1;

    @Override
    public void play(LockSystem system, Site site, Plan plan, Findings findings) throws Exception {
        try (Cluster cluster = system.start(site)) {
            TimeUnit.NANOSECONDS.sleep(plan.warmUp().toNanos());
            for (int i = 0; i < plan.repetitions(); i++) {
                Usage idle = Usage.during(cluster, plan.measured());
                findings.add("cores, servers without sessions", "cores", idle.servers);
            }
            List<Keeper> keepers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                keepers.add(new Keeper(system.leader(cluster).address(), i));
            }
            keepers.forEach(Keeper::start);
            // Twice round, so that every lease has been renewed.
            TimeUnit.NANOSECONDS.sleep(Math.max(plan.warmUp().toNanos(), 2 * PARTS * PART_NANOS));
            for (int i = 0; i < plan.repetitions(); i++) {
                long before = renewed(keepers);
                Usage usage = Usage.during(cluster, plan.measured());
                findings.add(ALL, "cores", usage.servers + usage.client);
                findings.add("cores, servers", "cores", usage.servers);
                findings.add("cores, client", "cores", usage.client);
                findings.add("renewals", "a second", (renewed(keepers) - before) / usage.seconds);
            }
            for (Keeper keeper : keepers) {
                keeper.end();
            }
        }
    }

    private static long renewed(List<Keeper> keepers) {
        return keepers.stream().mapToLong(Keeper::renewed).sum();
    }

    /** Processor time by the time it was used in. */
    private record Usage(double seconds, double servers, double client) {
        static Usage during(Cluster cluster, Duration time) throws Exception {
            double servers = CpuTime.ofServers(cluster.servers());
            double all = CpuTime.withThisProcess(cluster.servers());
            long start = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            double seconds = (System.nanoTime() - start) / 1e9;
            servers = CpuTime.ofServers(cluster.servers()) - servers;
            all = CpuTime.withThisProcess(cluster.servers()) - all;
            return new Usage(seconds, servers / seconds, (all - servers) / seconds);
        }
    }

    /** One connection and the leases it keeps. */
    private static final class Keeper extends Thread {
        private final Queue<Long> granted = new ConcurrentLinkedQueue<>();
        private final AtomicLong renewals = new AtomicLong();
        private final AtomicLong lost = new AtomicLong();
        private final Pipe pipe;
        private volatile boolean stopping;

        Keeper(String address, int number) throws InterruptedException {
            super("keeper-" + number);
            setDaemon(true);
            pipe = new Pipe(address, "keeper-" + number, this::answered);
            while (granted.size() < SESSIONS / CONNECTIONS) {
                int missing = SESSIONS / CONNECTIONS - granted.size();
                for (int i = 0; i < missing; i++) {
                    pipe.send(ClientMessage.newBuilder()
                            .setLeaseGrant(LeaseGrantRequest.newBuilder().setTtlMs(TTL.toMillis())));
                }
                pipe.awaitAnswers();
            }
        }

        private void answered(ServerMessage message) {
            switch (message.getBodyCase()) {
                case LEASE_GRANTED -> granted.add(message.getLeaseGranted().getId());
                case RENEWED -> {
                    renewals.addAndGet(message.getRenewed().getEndMsCount());
                    lost.addAndGet(message.getRenewed().getEndMsList().stream()
                            .filter(end -> end == GONE)
                            .count());
                }
                case LEASE_ENDED -> lost.incrementAndGet();
                default -> {}
            }
        }

        /** How many renewals were answered so far; a lease that was not kept makes the figure worthless. */
        long renewed() {
            if (lost.get() > 0) {
                throw new IllegalStateException(lost.get() + " leases were lost while they were kept alive");
            }
            return renewals.get();
        }

        @Override
        public void run() {
            List<Long> leases = List.copyOf(granted);
            long next = System.nanoTime();
            try {
                for (int part = 0; !stopping; part = (part + 1) % PARTS) {
                    int from = leases.size() * part / PARTS;
                    int to = leases.size() * (part + 1) / PARTS;
                    pipe.send(ClientMessage.newBuilder()
                            .setRenew(Renew.newBuilder().addAllLeaseIds(leases.subList(from, to))));
                    pipe.flush();
                    next += PART_NANOS;
                    TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void end() throws InterruptedException {
            stopping = true;
            join();
            pipe.close();
        }
    }
}
