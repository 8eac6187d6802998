package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.ratis.Cluster.Node;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.util.CodeInjectionForTesting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
@ResourceLock("the engine's hooks")
class SuccessionTest {
    private static final String APPEND = "RaftServerImpl.appendEntries";
    private static final String VOTE = "RaftServerImpl.requestVote";
    private static final long MUCH = 64 * 1024 * 1024;

    @TempDir
    Path directory;

    private final Set<String> deaf = ConcurrentHashMap.newKeySet();
    private final AtomicInteger questions = new AtomicInteger();

    /** The engine never forgets a hook: the next test would find this one's. */
    @AfterEach
    void everybody_hears_again() {
        CodeInjectionForTesting.put(APPEND, (local, remote, args) -> false);
        CodeInjectionForTesting.put(VOTE, (local, remote, args) -> false);
    }

    private void listen() {
        CodeInjectionForTesting.put(APPEND, (local, remote, args) -> {
            if (deaf.contains(String.valueOf(local))) {
                throw new IllegalStateException("deaf");
            }
            return false;
        });
        CodeInjectionForTesting.put(VOTE, (local, remote, args) -> {
            questions.incrementAndGet();
            return false;
        });
    }

    @Test
    void member_that_alone_lost_touch_disturbs_nobody() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            long term = leader.running().status().role().term();
            Node alone = cluster.follower();
            listen();
            deaf.add(alone.member.id().toString());

            Awaiting.until(() -> questions.get() >= 6);
            assertThat(leader.propose("still leading").get(10, TimeUnit.SECONDS))
                    .isInstanceOf(Outcome.Applied.class);
            assertThat(leader.running().status().role().term()).isEqualTo(term);

            deaf.clear();
            cluster.awaitAgreement();
            assertThat(cluster.leader()).isSameAs(leader);
            assertThat(leader.running().status().role().term()).isEqualTo(term);
        }
    }

    @Test
    void leader_that_nobody_hears_is_followed_by_another() throws Exception {
        try (Cluster cluster = Cluster.ofThree(directory, MUCH)) {
            Node leader = cluster.leader();
            long term = leader.running().status().role().term();
            leader.propose("before").get(10, TimeUnit.SECONDS);
            cluster.awaitAgreement();
            listen();
            cluster.running().stream()
                    .filter(node -> node != leader)
                    .forEach(node -> deaf.add(node.member.id().toString()));
            Awaiting.until(() -> cluster.running().stream()
                    .anyMatch(node -> node.running().status().role().term() > term));
            deaf.clear();
            cluster.leader().propose("after").get(10, TimeUnit.SECONDS);
            cluster.awaitAgreement();
        }
    }
}
