package dev.holdfast.server.settings.source;

import static dev.holdfast.server.settings.source.Reading.problems;
import static dev.holdfast.server.settings.source.Reading.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Member;
import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.NodeSettings;
import dev.holdfast.server.settings.StaticMember;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterReaderTest {
    private static final String THREE = "n1=localhost:1/localhost:2;region=eu, n2=localhost:3/localhost:4 ;region=us,"
            + " w=/localhost:5;witness;region=ap";

    @Test
    void members_have_a_client_address_a_peer_address_a_region_and_a_part() {
        ClusterSettings cluster = read("cluster.members", THREE).cluster();

        assertThat(cluster.mode()).isEqualTo(ClusterSettings.Mode.FORM);
        assertThat(cluster.members())
                .containsExactly(
                        new StaticMember("n1", at(1), new HostPort("localhost", 2), "eu", Member.Part.VOTER),
                        new StaticMember("n2", at(3), new HostPort("localhost", 4), "us", Member.Part.VOTER),
                        new StaticMember(
                                "w", Optional.empty(), new HostPort("localhost", 5), "ap", Member.Part.WITNESS));
    }

    @Test
    void list_of_members_is_written_as_it_is_read() {
        List<StaticMember> members = MemberList.parse(THREE);

        assertThat(MemberList.parse(
                        String.join(",", members.stream().map(Object::toString).toList())))
                .isEqualTo(members);
    }

    @Test
    void part_and_region_are_taken_from_the_list() {
        NodeSettings witness = read("node.name", "w", "cluster.members", THREE);

        assertThat(witness.identity().part()).isEqualTo(Member.Part.WITNESS);
        assertThat(witness.identity().region()).isEqualTo("ap");
        assertThat(witness.addresses().peerAdvertised()).isEqualTo(new HostPort("localhost", 5));
        assertThat(witness.describe()).contains("node.part = \"witness\" (from cluster.members)");
    }

    @Test
    void part_and_region_must_not_contradict_the_list() {
        assertThat(problems("cluster.members", THREE, "node.part", "witness", "node.region", "us"))
                .containsExactly(
                        "node.region = \"us\" (flag): must be as in cluster.members: \"eu\"",
                        "node.part = \"witness\" (flag): must be as in cluster.members: voter");
    }

    @Test
    void node_must_be_in_the_list_it_forms_a_cluster_of() {
        assertThat(problems("node.name", "n9", "cluster.members", THREE))
                .containsExactly(
                        "node.name = \"n9\" (flag): must be one of those in cluster.members, which are n1, n2," + " w");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n1                                         | entry \"n1\" must be name=client-host:port/peer-host",
                "n1=localhost:1                             | must be name=client-host:port/peer-host:port",
                "n1=/localhost:2                            | name=/peer-host:port;witness",
                "n1=localhost:1/localhost:2;witness         | for a witness, which serves no clients",
                "n1=localhost:1/localhost                   | must be host:port",
                "n1=localhost:1/0.0.0.0:2                   | 0.0.0.0:2 is not an address that others can reach",
                "n1=localhost:1/localhost:2;learner         | the options are region=… and witness, not learner",
                "n1=localhost:1/localhost:2;region=         | region: must be letters",
                "a b=localhost:1/localhost:2                | node name: letters, digits",
                "n1=localhost:1/localhost:2,                | entry \"\" must be",
                "n1=localhost:1/localhost:1                 | address localhost:1 is there twice",
                "n1=localhost:1/localhost:2,n1=a:3/a:4      | member n1 is there twice",
                "n1=localhost:1/localhost:2,n2=a:3/localhost:2 | address localhost:2 is there twice",
                "n1=/localhost:2;witness                    | at least one member must not be a witness"
            })
    void entry_that_is_wrong_is_named_with_what_is_allowed(String members, String problem) {
        assertThat(problems("insecure", "true", "cluster.members", members))
                .singleElement()
                .asString()
                .startsWith("cluster.members = \"" + members + "\" (flag): ")
                .contains(problem);
    }

    @Test
    void every_wrong_entry_is_named() {
        assertThat(problems("cluster.members", "x, n1=localhost:1/localhost:2, y"))
                .singleElement()
                .asString()
                .contains("entry \"x\"", "entry \"y\"");
    }

    @Test
    void joining_names_one_or_more_addresses_and_maybe_whom_to_replace() {
        ClusterSettings cluster = read("cluster.join", "localhost:1, [::1]:2", "cluster.replaces", "n3")
                .cluster();

        assertThat(cluster.mode()).isEqualTo(ClusterSettings.Mode.JOIN);
        assertThat(cluster.join()).containsExactly(new HostPort("localhost", 1), new HostPort("::1", 2));
        assertThat(cluster.replaces()).contains("n3");
    }

    @Test
    void replaced_member_is_named_by_name_or_id() {
        String id = "n3@123e4567-e89b-12d3-a456-426614174000";
        assertThat(read("cluster.join", "localhost:1", "cluster.replaces", id)
                        .cluster()
                        .replaces())
                .contains(id);
        assertThat(problems("cluster.join", "localhost:1", "cluster.replaces", "n3@somewhere"))
                .singleElement()
                .asString()
                .startsWith("cluster.replaces = \"n3@somewhere\" (flag): ");
    }

    @Test
    void only_a_joining_node_replaces_another() {
        assertThat(problems("cluster.replaces", "n3"))
                .containsExactly("cluster.replaces = \"n3\" (flag): needs cluster.join: only a joining node takes"
                        + " another's place");
    }

    @Test
    void node_forms_a_cluster_or_joins_one_but_not_both() {
        assertThat(problems("cluster.members", THREE, "cluster.join", "localhost:9"))
                .containsExactly("cluster.join = \"localhost:9\" (flag): must not be given beside cluster.members: a"
                        + " node either forms a new cluster or joins one");
    }

    @Test
    void single_node_votes_and_others_may_join_as_anything() {
        for (String part : List.of("witness", "learner")) {
            assertThat(problems("node.part", part)).singleElement().asString().contains("it is alone");
            assertThat(problems("node.part", part, "cluster.join", "localhost:1"))
                    .isEmpty();
        }
    }

    /** One settings file may serve all nodes: what only some of them use must not stop the others. */
    @Test
    void witness_ignores_the_client_address() {
        assertThat(problems("node.name", "w", "cluster.members", THREE, "client.address", "0.0.0.0:4600"))
                .isEmpty();
    }

    private static Optional<HostPort> at(int port) {
        return Optional.of(new HostPort("localhost", port));
    }
}
