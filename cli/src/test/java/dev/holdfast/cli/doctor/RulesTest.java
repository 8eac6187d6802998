package dev.holdfast.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.doctor.Observation.Hash;
import dev.holdfast.cli.doctor.Observation.NodeView;
import dev.holdfast.protocol.v1.Header;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.LimitInfo;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.protocol.v1.Part;
import dev.holdfast.protocol.v1.StatusResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every rule once where it must speak, on a cluster that is healthy but for one thing. */
@Timeout(30)
class RulesTest {
    private static final LockRules.Thresholds MUCH = new LockRules.Thresholds(Duration.ofHours(1), 100);

    private List<NodeView> nodes = Stream.of("n1", "n2", "n3")
            .map(name -> view(name, status(name).build()))
            .toList();
    private List<MemberInfo> members =
            Stream.of("n1", "n2", "n3").map(name -> member(name).build()).toList();
    private List<LimitInfo> limits = List.of();
    private Map<String, Hash> hashes = Map.of("n1", new Hash(7, 1), "n2", new Hash(7, 1), "n3", new Hash(7, 1));
    private List<LockRecord> locks = List.of();
    private boolean all = true;

    private static StatusResponse.Builder status(String name) {
        return StatusResponse.newBuilder()
                .setHeader(Header.newBuilder().setClusterId(5))
                .setMember(name + "@00000000-0000-0000-0000-000000000000")
                .setRole(name.equals("n1") ? "leading" : "following")
                .setVersion("1")
                .setMembers(3)
                .setMembersReachable(3);
    }

    private static NodeView view(String name, StatusResponse status) {
        return new NodeView("127.0.0.1:46" + name.charAt(1) + "0", name, Optional.of(status), "");
    }

    private static MemberInfo.Builder member(String name) {
        return MemberInfo.newBuilder()
                .setName(name)
                .setClientAddress("127.0.0.1:46" + name.charAt(1) + "0")
                .setPeerAddress("127.0.0.1:46" + name.charAt(1) + "1")
                .setPart(Part.VOTER)
                .setMatchedIndex(5_000);
    }

    private void change(int node, StatusResponse.Builder to) {
        nodes = Stream.of(0, 1, 2)
                .map(i -> i == node ? view("n" + (i + 1), to.build()) : nodes.get(i))
                .toList();
    }

    private void change(int node, MemberInfo.Builder to) {
        members = Stream.of(0, 1, 2)
                .map(i -> i == node ? to.build() : members.get(i))
                .toList();
    }

    private Diagnosis diagnosis(Map<String, String> regions) {
        return Diagnosis.of(new Observation(nodes, members, limits, hashes, locks, all, false), MUCH, regions);
    }

    private Finding only() {
        assertThat(diagnosis(Map.of()).findings()).hasSize(1);
        Finding finding = diagnosis(Map.of()).findings().get(0);
        assertThat(finding.why()).isNotBlank();
        assertThat(finding.run()).isNotBlank();
        return finding;
    }

    @Test
    void healthy_cluster_has_no_findings() {
        assertThat(diagnosis(Map.of()).findings()).isEmpty();
        assertThat(diagnosis(Map.of()).isHealthy()).isTrue();
        assertThat(diagnosis(Map.of()).summary())
                .isEqualTo(
                        "3 of 3 nodes answer, n1 leads, 3 of 3 votes, 0 leases, 0 locks; states equal after entry 7.");
    }

    @Test
    void majority_without_a_leader_is_a_problem() {
        change(0, status("n1").setRole("no leader"));
        change(1, status("n2").setRole("no leader"));
        change(2, status("n3").setRole("no leader"));
        assertThat(only().what()).isEqualTo("no node leads, although 3 of 3 voting nodes are reachable");
    }

    @Test
    void state_that_differs_is_a_problem_that_names_each_node() {
        hashes = Map.of("n1", new Hash(7, 1), "n2", new Hash(7, 2), "n3", new Hash(7, 1));
        assertThat(only().name()).isEqualTo("STATES_DIFFER");
        assertThat(only().what()).contains("n1 1, n2 2, n3 1");
    }

    @Test
    void hashes_of_different_entries_say_nothing() {
        hashes = Map.of("n1", new Hash(7, 1), "n2", new Hash(8, 2));
        assertThat(diagnosis(Map.of()).findings()).isEmpty();
    }

    @Test
    void addresses_of_two_clusters_are_a_problem() {
        change(1, status("n2").setHeader(Header.newBuilder().setClusterId(6)));
        assertThat(only().name()).isEqualTo("TWO_CLUSTERS");
    }

    @Test
    void member_far_behind_is_a_warning_and_one_a_little_behind_is_not() {
        change(2, member("n3").setMatchedIndex(4_500));
        assertThat(diagnosis(Map.of()).findings()).isEmpty();
        change(2, member("n3").setMatchedIndex(3_000));
        assertThat(only().what()).isEqualTo("n3 is 2000 entries behind");
    }

    @Test
    void versions_that_differ_are_a_warning() {
        change(1, status("n2").setVersion("2"));
        assertThat(only().what()).contains("n1 1, n2 2, n3 1");
    }

    @Test
    void feature_level_that_could_be_raised_is_a_note_and_stays_healthy() {
        for (int i = 0; i < 3; i++) {
            change(i, status("n" + (i + 1)).setSupportedFeatureLevel(2).setFeatureLevel(1));
        }
        assertThat(only().run()).contains("raise-feature-level 2");
        assertThat(diagnosis(Map.of()).isHealthy()).isTrue();
    }

    @Test
    void silent_witness_is_a_problem_though_it_has_no_address_for_clients() {
        change(2, member("n3").setClientAddress("").setPart(Part.WITNESS).setSilentMs(60_000));
        nodes = nodes.subList(0, 2);
        assertThat(only().what()).contains("n3", "witness", "silent for 1m");
    }

    @Test
    void even_number_of_votes_is_a_warning() {
        members = Stream.of("n1", "n2", "n3", "n4")
                .map(name -> member(name).build())
                .toList();
        assertThat(only().what()).contains("4 votes survive the loss of 1, as 3 would");
    }

    @Test
    void one_full_node_with_two_witnesses_does_not_survive_its_loss() {
        change(1, member("n2").setClientAddress("").setPart(Part.WITNESS));
        change(2, member("n3").setClientAddress("").setPart(Part.WITNESS));
        nodes = nodes.subList(0, 1);
        hashes = Map.of();
        assertThat(only().what()).contains("node \"n1\" is not survived: only witnesses remain");
    }

    @Test
    void placement_over_two_regions_is_told_when_regions_are() {
        List<Finding> findings =
                diagnosis(Map.of("n1", "eu", "n2", "eu", "n3", "us")).findings();
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.what()).contains("The loss of region \"eu\" is not survived");
            assertThat(finding.run()).contains("a third");
        });
        assertThat(diagnosis(Map.of("n1", "eu", "n2", "us", "n3", "asia")).findings())
                .isEmpty();
    }

    @Test
    void addresses_beyond_this_machine_without_encryption_are_a_note() {
        change(1, member("n2").setClientAddress("10.0.0.2:4600"));
        assertThat(only().what()).contains("n2 10.0.0.2:4600");
        assertThat(diagnosis(Map.of()).isHealthy()).isTrue();
    }

    private static LockRecord lock(String key, Duration held, int waiters) {
        return LockRecord.newBuilder()
                .setKey(key)
                .addHolders(Holder.newBuilder().setHeldMs(held.toMillis()))
                .setWaiterCount(waiters)
                .build();
    }

    @Test
    void lock_held_long_is_a_warning_only_while_others_wait_and_never_for_an_election() {
        locks = List.of(
                lock("alone", Duration.ofHours(9), 0),
                lock("short", Duration.ofMinutes(9), 3),
                lock("election/x", Duration.ofHours(9), 3));
        assertThat(diagnosis(Map.of()).findings()).isEmpty();
        locks = List.of(lock("long", Duration.ofHours(9), 3));
        assertThat(only().what()).contains("long (9h, 3 waiters)");
        assertThat(only().run()).contains("holdfast show long");
    }

    @Test
    void long_queue_is_a_warning() {
        locks = List.of(lock("busy", Duration.ofSeconds(1), 100));
        assertThat(only().name()).isEqualTo("LONG_QUEUE");
    }

    @Test
    void limit_that_comes_near_is_a_warning_that_names_it() {
        limits = List.of(LimitInfo.newBuilder().setName("LEASES").setValue(100).build());
        change(0, status("n1").setLeases(79));
        assertThat(diagnosis(Map.of()).findings()).isEmpty();
        change(0, status("n1").setLeases(80));
        assertThat(only().run()).contains("holdfast limits set LEASES 200");
    }

    @Test
    void locks_that_were_not_looked_at_are_told() {
        all = false;
        assertThat(only().name()).isEqualTo("LOCKS_NOT_ALL_SEEN");
    }
}
