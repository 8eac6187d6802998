package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.UnlockRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One caller floods a node from a process of its own while a stranger goes about its work, at a steady pace.
 *
 * <p>Client, node and flood share the machine's processors, so phases of flood alternate with phases in which the
 * flooding process, at the same low priority, burns as much time as it can get and sends nothing: what differs is
 * what the flood does to the node.
 */
@Tag("slow")
@Timeout(180)
class FairnessTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.long");
    private static final int PHASES = LONG ? 7 : 3;
    private static final long PHASE_NANOS = TimeUnit.MILLISECONDS.toNanos(LONG ? 4_000 : 1_000);

    /** What a flood takes to get going, or to be over. */
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

    /** What the stranger needs. */
    private static final int PAIRS_PER_SECOND = 50;

    /**
     * What it keeps of its pace, at least. Wide where other tests run beside this one: where callers do not take turns,
     * a twentieth is left, or nothing.
     */
    private static final double KEEPS = LONG ? 0.9 : 0.5;

    @TempDir
    Path directory;

    private long seq;

    @ParameterizedTest(name = "{0} on {1} connections, tokens: {2}")
    @CsvSource({"UNLOCK, 4, true", "ACQUIRE, 4, true"})
    void a_stranger_keeps_its_pace_while_another_floods(Flooder.Kind kind, int connections, boolean tokens)
            throws Exception {
        flood(kind, connections, tokens);
    }

    @ParameterizedTest(name = "{0} on {1} connections, tokens: {2}")
    @CsvSource({"UNLOCK, 1, true", "UNLOCK, 1, false", "RENEW, 2, true", "DENIED, 2, true", "DENIED_CALLS, 2, true"})
    @EnabledIfSystemProperty(named = "holdfast.long", matches = "true")
    void nor_does_it_notice_floods_of_other_kinds(Flooder.Kind kind, int connections, boolean tokens) throws Exception {
        flood(kind, connections, tokens);
    }

    private void flood(Flooder.Kind kind, int connections, boolean tokens) throws Exception {
        Map<String, String> settings = tokens ? Map.of() : Map.of("auth.keys", "");
        try (SecuredNode node = new SecuredNode(directory, settings);
                Flood flood = new Flood(node.port, tokens ? SecuredNode.token("flood", "flood", Verb.LOCK) : "")) {
            LockServiceBlockingStub locks = node.locks(tokens ? SecuredNode.token("stranger", "calm", Verb.LOCK) : "");
            var unused = locks.leaseGrant(
                    LeaseGrantRequest.newBuilder().setId(7).setTtl(300).build());
            flood.tell(Flooder.Kind.BURN, 1);
            work(locks, SETTLE_NANOS); // warm
            work(locks, SETTLE_NANOS);
            List<Phase> calm = new ArrayList<>();
            List<Phase> flooded = new ArrayList<>();
            long sent = 0;
            double[] ofNode = new double[2];
            double[] ofFlood = new double[2];
            for (int phase = 0; phase < PHASES; phase++) {
                sent += flood.tell(Flooder.Kind.BURN, 1);
                work(locks, SETTLE_NANOS);
                Clocks before = Clocks.read(flood);
                calm.add(work(locks, PHASE_NANOS));
                before.addTo(ofNode, ofFlood, 0, flood);
                flood.tell(kind, connections);
                work(locks, SETTLE_NANOS);
                before = Clocks.read(flood);
                flooded.add(work(locks, PHASE_NANOS));
                before.addTo(ofNode, ofFlood, 1, flood);
            }
            Phase undisturbed = Phase.median(calm);
            Phase during = Phase.median(flooded);
            System.out.printf(
                    Locale.ROOT,
                    "flood of %s on %d connections (%s): %,d sent; stranger %.0f -> %.0f pairs/s, median pair %.2f -> %.2f ms;"
                            + " processors: node and stranger %.2f -> %.2f, flooding process %.2f -> %.2f%n",
                    kind,
                    connections,
                    tokens ? "tokens" : "anybody",
                    sent,
                    undisturbed.perSecond(),
                    during.perSecond(),
                    undisturbed.medianMillis(),
                    during.medianMillis(),
                    ofNode[0] / PHASES,
                    ofNode[1] / PHASES,
                    ofFlood[0] / PHASES,
                    ofFlood[1] / PHASES);
            assertThat(sent).as("the flood was one").isGreaterThan(1_000);
            assertThat(during.perSecond())
                    .as("%s, then %s", calm, flooded)
                    .isGreaterThan(KEEPS * undisturbed.perSecond());
        }
    }

    /** What of the processors two processes had used at some time: this one, with node and stranger, and the flooding one. */
    private record Clocks(long nanos, long node, long flood) {
        static Clocks read(Flood flood) {
            return new Clocks(System.nanoTime(), used(ProcessHandle.current()), used(flood.process.toHandle()));
        }

        private static long used(ProcessHandle process) {
            return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
        }

        /** Adds how many processors they have used since, on average. */
        void addTo(double[] ofNode, double[] ofFlood, int which, Flood flooding) {
            Clocks now = read(flooding);
            double passed = now.nanos - nanos;
            ofNode[which] += (now.node - node) / passed;
            ofFlood[which] += (now.flood - flood) / passed;
        }
    }

    /** What the stranger got done. */
    private record Phase(double perSecond, double medianMillis) {
        static Phase median(List<Phase> phases) {
            return new Phase(
                    middle(phases.stream().mapToDouble(Phase::perSecond)),
                    middle(phases.stream().mapToDouble(Phase::medianMillis)));
        }

        private static double middle(DoubleStream values) {
            double[] sorted = values.sorted().toArray();
            return sorted[sorted.length / 2];
        }
    }

    /** Locks and unlocks at a steady pace; one that it misses is lost. */
    private Phase work(LockServiceBlockingStub locks, long forNanos) {
        List<Long> taken = new ArrayList<>();
        long step = TimeUnit.SECONDS.toNanos(1) / PAIRS_PER_SECOND;
        long begin = System.nanoTime();
        long next = begin;
        while (System.nanoTime() - begin < forNanos) {
            long from = System.nanoTime();
            pair(locks);
            taken.add(System.nanoTime() - from);
            next = Math.max(next + step, System.nanoTime());
            while (System.nanoTime() - next < 0) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        Collections.sort(taken);
        return new Phase(taken.size() / seconds, taken.get(taken.size() / 2) / 1e6);
    }

    private void pair(LockServiceBlockingStub locks) {
        seq++;
        long token = locks.tryLock(TryLockRequest.newBuilder()
                        .setName("calm/k")
                        .setLeaseId(7)
                        .setSeq(seq)
                        .setAckedBelow(seq)
                        .build())
                .getFencingToken();
        var unused = locks.unlock(UnlockRequest.newBuilder()
                .setName("calm/k")
                .setLeaseId(7)
                .setFencingToken(token)
                .build());
    }

    /** The process that floods. */
    private static final class Flood implements AutoCloseable {
        private final Process process;
        private final BufferedReader answers;

        Flood(int port, String token) throws IOException {
            process = new ProcessBuilder(
                            "nice",
                            "-n",
                            "19",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-Xmx256m",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Flooder.class.getName(),
                            Integer.toString(port),
                            token)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** Sends this from now on; gives how many requests were sent before. */
        long tell(Flooder.Kind kind, int connections) throws IOException {
            process.getOutputStream().write((kind + " " + connections + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String answer = answers.readLine();
            while (answer != null && !answer.matches("[0-9]+")) {
                answer = answers.readLine(); // what libraries print
            }
            return Long.parseLong(String.valueOf(answer));
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
