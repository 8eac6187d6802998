package dev.holdfast.server.settings.source;

import static dev.holdfast.server.settings.source.Reading.problems;
import static dev.holdfast.server.settings.source.Reading.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.settings.AddressSettings;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressReaderTest {
    private static final String CLIENTS_TOLD = "must be loopback (127.0.0.1, localhost or [::1]) without"
            + " tls.certificate, tls.key and auth.keys, because anyone who reaches the port could take any lock; or give"
            + " insecure = true";
    private static final String MEMBERS_TOLD = "must be loopback (127.0.0.1, localhost or [::1]) without"
            + " tls.certificate, tls.key and tls.ca, because anyone who reaches the port could take part in the log; or give"
            + " insecure = true";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4600",
                ":4600",
                "localhost",
                "localhost:",
                "localhost:0",
                "localhost:65536",
                "::1:4600",
                "a b:1",
                "[localhost]:1",
                "http://localhost:1"
            })
    void address_is_host_and_port(String text) {
        assertThat(problems("client.address", text))
                .containsExactly("client.address = \"" + text + "\" (flag): must be host:port with a port from 1 to"
                        + " 65535, such as 127.0.0.1:4600 or [::1]:4600");
    }

    @Test
    void ipv6_address_stands_in_brackets() {
        HostPort address = HostPort.parse("[::1]:4600");

        assertThat(address).isEqualTo(new HostPort("::1", 4600)).hasToString("[::1]:4600");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1:1", "127.8.9.1:1", "localhost:1", "LOCALHOST:1", "[::1]:1", "[0:0:0:0:0:0:0:1]:1"})
    void loopback_needs_no_protection(String text) {
        assertThat(problems("client.address", text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "node.example.org:1", "127.0.0.1.evil.org:1", "[::2]:1"})
    void any_other_address_is_refused_without_insecure_and_the_reason_is_said(String text) {
        assertThat(problems("client.address", text))
                .containsExactly("client.address = \"" + text + "\" (flag): " + CLIENTS_TOLD);
        assertThat(problems("client.address", text, "insecure", "false")).hasSize(1);
        assertThat(problems("client.address", text, "insecure", "true")).isEmpty();
    }

    @Test
    void every_place_for_an_address_is_held_to_loopback() {
        assertThat(problems("client.advertise", "10.0.0.1:5000"))
                .containsExactly("client.advertise = \"10.0.0.1:5000\" (flag): " + CLIENTS_TOLD);
        for (String key : new String[] {"peer.address", "peer.advertise", "cluster.join"}) {
            assertThat(problems(key, "10.0.0.1:5000"))
                    .containsExactly(key + " = \"10.0.0.1:5000\" (flag): " + MEMBERS_TOLD);
        }
        String members = "n1=127.0.0.1:1/127.0.0.1:2, n2=127.0.0.1:3/10.0.0.1:4";
        assertThat(problems("cluster.members", members))
                .containsExactly("cluster.members = \"" + members + "\" (flag): " + MEMBERS_TOLD);
    }

    @Test
    void what_others_are_told_defaults_to_where_it_listens() {
        AddressSettings addresses = read("client.address", "localhost:1", "peer.address", "localhost:2")
                .addresses();

        assertThat(addresses.clientAdvertised()).isEqualTo(new HostPort("localhost", 1));
        assertThat(addresses.peerAdvertised()).isEqualTo(new HostPort("localhost", 2));
    }

    @Test
    void what_others_are_told_is_taken_from_the_list_of_members() {
        NodeSettings settings = read(
                "insecure", "true",
                "client.address", "0.0.0.0:4600",
                "peer.address", "0.0.0.0:4601",
                "cluster.members", "n1=a.example:1/b.example:2");

        assertThat(settings.addresses().clientAdvertised()).isEqualTo(new HostPort("a.example", 1));
        assertThat(settings.addresses().peerAdvertised()).isEqualTo(new HostPort("b.example", 2));
        assertThat(settings.describe()).contains("peer.advertise = \"b.example:2\" (from cluster.members)");
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void what_others_are_told_must_not_contradict_the_list_of_members() {
        assertThat(problems("peer.advertise", "localhost:9", "cluster.members", "n1=localhost:1/localhost:2"))
                .containsExactly("peer.advertise = \"localhost:9\" (flag): must be as in cluster.members: localhost:2");
    }

    @Test
    void in_a_cluster_the_wildcard_needs_an_address_to_tell_others() {
        String[] joining = {"insecure", "true", "cluster.join", "a:1", "peer.address", "0.0.0.0:4601"};
        assertThat(problems(joining))
                .containsExactly("peer.address = \"0.0.0.0:4601\" (flag): needs peer.advertise beside it: the address"
                        + " where others reach this node");
        assertThat(problems("insecure", "true", "client.advertise", "[::]:4600"))
                .containsExactly("client.advertise = \"[::]:4600\" (flag): must be an address that others can reach");
    }

    @Test
    void clients_and_peers_need_two_addresses() {
        assertThat(problems("peer.address", "127.0.0.1:4600"))
                .containsExactly("peer.address = \"127.0.0.1:4600\" (flag): must differ from client.address, which is"
                        + " 127.0.0.1:4600");
        assertThat(problems("insecure", "true", "peer.address", "0.0.0.0:4600")).hasSize(1);
    }

    @Test
    void listening_on_loopback_while_telling_others_another_address_is_warned_about() {
        assertThat(read("insecure", "true", "client.advertise", "a.example:1").warnings())
                .containsExactly("client.address is 127.0.0.1:4600, which no other machine reaches, but others are told"
                        + " a.example:1.");
    }
}
