package dev.holdfast.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.LogStatus;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.Role;
import dev.holdfast.protocol.v1.JoinResponse.Stage;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When a node that joins is told that it has. */
class MemberChangesTest {
    private static final Member LEADER = member("n1", Part.VOTER);
    private static final Member NEWCOMER = member("n4", Part.VOTER);

    private static Member member(String name, Part part) {
        return new Member(new NodeId(name, UUID.randomUUID()), "127.0.0.1:1", "127.0.0.1:2", part);
    }

    private static Stage join(Member leader, long membersSince, Map<NodeId, Long> matched) {
        LogStatus status = new LogStatus(
                "of a test", new Role.Leading(1), 500, -1, List.of(LEADER, NEWCOMER), membersSince, matched, Map.of());
        ReplicatedLog log = (ReplicatedLog) Proxy.newProxyInstance(
                ReplicatedLog.class.getClassLoader(),
                new Class<?>[] {ReplicatedLog.class},
                (proxy, method, arguments) -> {
                    assertThat(method.getName())
                            .as("nothing is changed any more")
                            .isEqualTo("status");
                    return status;
                });
        return new MemberChanges(log, leader.id())
                .join(NEWCOMER, "", true)
                .join()
                .getStage();
    }

    @Test
    void it_has_joined_when_it_has_the_entry_that_says_so() {
        assertThat(join(LEADER, 400, Map.of(NEWCOMER.id(), 399L))).isEqualTo(Stage.LEARNING);
        assertThat(join(LEADER, 400, Map.of(NEWCOMER.id(), 400L))).isEqualTo(Stage.JOINED);
    }

    @Test
    void it_has_not_joined_while_the_change_is_under_way_or_nobody_knows_how_far_it_is() {
        assertThat(join(LEADER, LogStatus.CHANGING, Map.of(NEWCOMER.id(), 500L)))
                .isEqualTo(Stage.LEARNING);
        assertThat(join(LEADER, 400, Map.of())).isEqualTo(Stage.LEARNING);
    }

    @Test
    void it_has_joined_when_it_leads_though_no_leader_says_how_far_it_is_itself() {
        assertThat(join(NEWCOMER, 400, Map.of(LEADER.id(), 400L))).isEqualTo(Stage.JOINED);
    }
}
