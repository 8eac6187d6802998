package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.Test;

class RatisSettingsTest {
    private static final Member A = member("a", "127.0.0.1:7001", Part.VOTER);
    private static final Member W = member("w", "127.0.0.1:7002", Part.WITNESS);

    private static Member member(String name, String address, Part part) {
        return new Member(new NodeId(name, UUID.randomUUID()), address, "", part);
    }

    private static RatisSettings settings(
            Member self, List<Member> members, long minMillis, long maxMillis, long bytes) {
        return new RatisSettings(
                self,
                UUID.randomUUID(),
                Path.of("data"),
                members,
                Duration.ofMillis(minMillis),
                Duration.ofMillis(maxMillis),
                bytes,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void settings_that_make_sense_are_taken() {
        assertThat(settings(A, List.of(A, W), 1_000, 2_000, 1 << 26).directory())
                .isAbsolute();
        assertThat(settings(A, List.of(), 1_000, 2_000, 1 << 26).initialMembers())
                .isEmpty();
    }

    @Test
    void refusal_names_the_field_and_the_value() {
        assertRefused(A, List.of(W), 1_000, 2_000, 1 << 26, "full voter");
        assertRefused(W, List.of(A), 1_000, 2_000, 1 << 26, "must contain self");
        assertRefused(A, List.of(A, A), 1_000, 2_000, 1 << 26, "twice");
        assertRefused(A, List.of(A), 2_000, 2_000, 1 << 26, "electionMax");
        assertRefused(A, List.of(A), 10, 2_000, 1 << 26, "PT0.01S");
        assertRefused(A, List.of(A), 1_000, 2_000, 1, "snapshotAfterBytes");
        Member noPort = member("n", "localhost", Part.VOTER);
        assertRefused(noPort, List.of(noPort), 1_000, 2_000, 1 << 26, "\"localhost\"");
        Member badPort = member("n", "localhost:70000", Part.VOTER);
        assertRefused(badPort, List.of(badPort), 1_000, 2_000, 1 << 26, "70000");
    }

    private static void assertRefused(
            Member self, List<Member> members, long minMillis, long maxMillis, long bytes, String names) {
        assertThatThrownBy(() -> settings(self, members, minMillis, maxMillis, bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(names);
    }

    @Test
    void process_may_stand_still_for_minutes_before_its_engine_gives_up() {
        RaftProperties properties = RatisProperties.of(settings(A, List.of(A, W), 1_000, 2_000, 1 << 26));
        assertThat(RaftServerConfigKeys.closeThreshold(properties).toLong(TimeUnit.MILLISECONDS))
                .isGreaterThanOrEqualTo(Duration.ofMinutes(5).toMillis());
    }

    @Test
    void member_is_the_same_after_a_trip_through_the_engine() {
        for (Member member : List.of(A, W)) {
            assertThat(Peers.voter(Peers.peer(member).getRaftPeerProto())).contains(member);
            RaftPeerId id = Peers.id(member.id());
            assertThat(RaftPeerId.valueOf(id.toByteString())).isEqualTo(id);
            assertThat(Peers.id(id)).isEqualTo(member.id());
        }
        assertThat(HostPort.parse("x", "[::1]:9")).isEqualTo(new HostPort("::1", 9));
    }
}
