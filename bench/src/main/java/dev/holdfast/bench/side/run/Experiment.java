package dev.holdfast.bench.side.run;

import static dev.holdfast.bench.side.run.Entrant.ETCD;
import static dev.holdfast.bench.side.run.Entrant.HAZELCAST;
import static dev.holdfast.bench.side.run.Entrant.HOLDFAST;
import static dev.holdfast.bench.side.run.Entrant.HOLDFAST_FAST;
import static dev.holdfast.bench.side.run.Entrant.HOLDFAST_MILLION;
import static dev.holdfast.bench.side.run.Entrant.HOLDFAST_RELEASE;
import static dev.holdfast.bench.side.run.Entrant.HOLDFAST_TEN_MILLION;
import static dev.holdfast.bench.side.run.Entrant.REDIS;
import static dev.holdfast.bench.side.run.Entrant.REDIS_FAIR;
import static dev.holdfast.bench.side.run.Entrant.ZOOKEEPER;

import dev.holdfast.bench.side.holdfast.HeldLocks;
import dev.holdfast.bench.side.holdfast.KeptSessions;
import dev.holdfast.bench.side.workload.HolderKilled;
import dev.holdfast.bench.side.workload.Latency;
import dev.holdfast.bench.side.workload.LeaderKilled;
import dev.holdfast.bench.side.workload.OneKey;
import dev.holdfast.bench.side.workload.OwnKeys;
import dev.holdfast.bench.side.workload.Workload;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Something that can be measured, by the letter that names it.
 *
 * @param workload made when it is played: those of Holdfast alone need what no peer has on its class path
 * @param headline the figures that are compared and plotted
 */
record Experiment(
        String letter, String subject, Supplier<Workload> workload, List<String> headline, List<Entrant> entrants) {
    private static final List<Entrant> EVERYBODY =
            List.of(HOLDFAST, HOLDFAST_RELEASE, ETCD, ZOOKEEPER, HAZELCAST, REDIS);

    /** Those with a {@link dev.holdfast.bench.side.workload.Steady} workload. */
    private static final List<String> SHARING = List.of("A", "B", "C", "D", "G");

    private static final Experiment PAIRS =
            new Experiment("B", "64 threads, own keys", () -> new OwnKeys(64), List.of(OwnKeys.PAIRS), EVERYBODY);
    private static final Experiment CPU = new Experiment(
            "G", "processor time, 64 threads, own keys", () -> new OwnKeys(64), List.of(OwnKeys.CPU), EVERYBODY);

    static final List<Experiment> ALL = List.of(
            new Experiment("A", "1 thread, 1 key", () -> new Latency(), List.of(Latency.LOCK, Latency.PAIR), EVERYBODY),
            PAIRS,
            new Experiment("C", "256 threads, own keys", () -> new OwnKeys(256), List.of(OwnKeys.PAIRS), EVERYBODY),
            new Experiment(
                    "D",
                    "32 threads, one key",
                    () -> new OneKey(),
                    List.of(OneKey.HAND_OVERS),
                    List.of(HOLDFAST, HOLDFAST_RELEASE, ETCD, ZOOKEEPER, HAZELCAST, REDIS, REDIS_FAIR)),
            new Experiment(
                    "E",
                    "leader killed",
                    () -> new LeaderKilled(),
                    List.of(LeaderKilled.GAP),
                    List.of(HOLDFAST, HOLDFAST_FAST, ETCD, ZOOKEEPER, HAZELCAST)),
            new Experiment(
                    "F",
                    "holder killed",
                    () -> new HolderKilled(),
                    List.of(HolderKilled.TAKE_OVER),
                    List.of(HOLDFAST, ETCD, ZOOKEEPER, HAZELCAST, REDIS)),
            CPU,
            new Experiment(
                    "H",
                    "100,000 sessions, TTL 30 s",
                    () -> new KeptSessions(),
                    List.of(KeptSessions.ALL),
                    List.of(HOLDFAST)),
            new Experiment(
                    "I",
                    "locks held",
                    () -> new HeldLocks(),
                    List.of(HeldLocks.RESTART),
                    List.of(HOLDFAST_MILLION, HOLDFAST_TEN_MILLION)));

    static Experiment of(String letter) {
        return ALL.stream()
                .filter(experiment -> experiment.letter.equalsIgnoreCase(letter))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(letter + ": not one of " + letters()));
    }

    /** The experiments with these letters, which share a cluster if they are several. */
    static List<Experiment> group(String letters) {
        List<Experiment> group = letters.chars()
                .mapToObj(letter -> of(String.valueOf((char) letter)))
                .toList();
        if (group.size() > 1
                && !SHARING.containsAll(
                        letters(group).chars().mapToObj(Character::toString).toList())) {
            throw new IllegalArgumentException(letters + ": only " + SHARING + " can share a cluster");
        }
        return group;
    }

    static String letters(List<Experiment> group) {
        return group.stream().map(Experiment::letter).collect(Collectors.joining());
    }

    static List<String> letters() {
        return ALL.stream().map(Experiment::letter).toList();
    }

    /** What is to be played so that every experiment is shown: G's figures come with those of B. */
    static List<Experiment> everything() {
        return ALL.stream().filter(experiment -> !experiment.equals(CPU)).toList();
    }

    /** The experiments whose figures this one finds. */
    List<Experiment> shown() {
        return equals(PAIRS) ? List.of(PAIRS, CPU) : List.of(this);
    }

    /** Whether it measures how long a lock outlives its holder. */
    boolean endsByTtl() {
        return letter.equals("F");
    }

    String title() {
        return letter + ". " + subject;
    }
}
