package dev.holdfast.chaos;

import static org.awaitility.Awaitility.await;

import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.MemberRemoveRequest;
import dev.holdfast.protocol.v1.TransferLeadershipRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Somebody is killed in the middle of a change of members: at every step, and everybody who has a part in it. */
class MembershipStepsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int GRANTS = 100;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private final List<Long> gaps = new ArrayList<>();
    private int last = 3;

    /** A newcomer, and who is killed when it has come how far. */
    private record Round(Step step, Victim victim) {
        static List<Round> all() {
            List<Round> rounds = new ArrayList<>();
            for (Step step : Step.values()) {
                for (Victim victim : Victim.values()) {
                    rounds.add(new Round(step, victim));
                }
            }
            return rounds;
        }

        /** Each step and each victim once. */
        static List<Round> few() {
            return List.of(
                    new Round(Step.BEGINS, Victim.LEADER),
                    new Round(Step.IS_KNOWN, Victim.NEWCOMER),
                    new Round(Step.VOTES, Victim.OTHER));
        }
    }

    /** How far a newcomer has come when somebody is killed. */
    private enum Step {
        BEGINS,
        IS_KNOWN,
        VOTES
    }

    private enum Victim {
        LEADER,
        NEWCOMER,
        OTHER
    }

    @Test
    void the_change_comes_to_its_end_and_nothing_is_lost() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"))) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(cluster.clients(), cluster.addresses(), 4, 4)
                    .perSecond(100)
                    .start();
            int changes = 0;
            for (Round round : Figures.LONG ? Round.all() : Round.few()) {
                add(cluster, load, round);
                removeWhileLeaderDies(cluster, load, round.victim() == Victim.LEADER);
                changes += 2;
            }
            load.stop();
            events.catchUp();
            events.verify(load);
            cluster.assertStatesEqual();
            Figures.tell(
                    "T21",
                    "%d changes of members, somebody killed in each: all came to their end; longest time without a"
                            + " grant in each %s ms; %d acknowledged, none lost",
                    changes,
                    Figures.percentiles(gaps),
                    load.acknowledged());
        }
    }

    private void add(Cluster cluster, Load load, Round round) throws Exception {
        KillTest.progress(load, GRANTS);
        String name = "n" + ++last;
        long begun = System.nanoTime();
        NodeProcess newcomer = cluster.newcomer(name, Map.of());
        newcomer.start();
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .ignoreException(StatusRuntimeException.class)
                .until(() -> switch (round.step()) {
                    case BEGINS -> true;
                    case IS_KNOWN ->
                        cluster.members().stream().map(MemberInfo::getName).anyMatch(name::equals);
                    case VOTES -> MembershipTest.voters(cluster).contains(name);
                });
        NodeProcess killed = switch (round.victim()) {
            case LEADER -> cluster.awaitLeader();
            case NEWCOMER -> newcomer;
            case OTHER -> other(cluster, name);
        };
        killed.kill();
        KillTest.progress(load, GRANTS);
        killed.start();
        await().atMost(PATIENCE)
                .ignoreException(StatusRuntimeException.class)
                .until(() -> MembershipTest.voters(cluster).contains(name));
        cluster.awaitAll();
        gaps.add(FailoverTest.longestGap(load, begun) / 1_000_000);
    }

    private static NodeProcess other(Cluster cluster, String newcomer) {
        NodeProcess leader = cluster.awaitLeader();
        return cluster.running().stream()
                .filter(node -> node != leader && !node.name().equals(newcomer))
                .findFirst()
                .orElseThrow();
    }

    /** The newcomer leaves again, and who leads meanwhile is killed: the newcomer itself, or another. */
    private void removeWhileLeaderDies(Cluster cluster, Load load, boolean newcomerLeads) throws Exception {
        KillTest.progress(load, GRANTS);
        NodeProcess leaving = cluster.node("n" + last);
        if (newcomerLeads) {
            handTo(cluster, leaving);
        }
        NodeProcess leader = cluster.awaitLeader();
        long begun = System.nanoTime();
        try {
            var unused = cluster.clients()
                    .admin(leader.clientAddress())
                    .memberRemove(MemberRemoveRequest.newBuilder()
                            .setMember(leaving.name())
                            .build());
        } catch (StatusRuntimeException e) {
            // It may have been done, and may not.
        }
        leader.kill();
        KillTest.progress(load, GRANTS);
        if (leader != leaving) {
            leader.start();
        }
        MembershipTest.remove(cluster, leaving.name());
        leaving.close();
        cluster.forget(leaving.name());
        cluster.awaitAll();
        gaps.add(FailoverTest.longestGap(load, begun) / 1_000_000);
    }

    private static void handTo(Cluster cluster, NodeProcess node) {
        await().atMost(PATIENCE).ignoreException(StatusRuntimeException.class).until(() -> {
            if (cluster.awaitLeader() != node) {
                var unused = cluster.clients()
                        .admin(cluster.awaitLeader().clientAddress())
                        .transferLeadership(TransferLeadershipRequest.newBuilder()
                                .setTo(node.name())
                                .build());
            }
            return cluster.awaitLeader() == node;
        });
    }
}
