package dev.holdfast.server.settings.source;

import static dev.holdfast.server.settings.source.Reading.problems;
import static dev.holdfast.server.settings.source.Reading.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Member;
import dev.holdfast.server.settings.AddressSettings;
import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.ElectionSettings;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.IdentitySettings;
import dev.holdfast.server.settings.NodeSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
    private static final HostPort CLIENT = new HostPort("127.0.0.1", 4600);
    private static final HostPort PEER = new HostPort("127.0.0.1", 4601);

    @Test
    void defaults_are_a_single_voter_on_loopback() {
        NodeSettings settings = read();

        assertThat(settings.identity())
                .isEqualTo(new IdentitySettings("n1", "", Member.Part.VOTER, Path.of("/var/lib/holdfast")));
        assertThat(settings.addresses()).isEqualTo(new AddressSettings(CLIENT, CLIENT, PEER, PEER, false));
        assertThat(settings.cluster().mode()).isEqualTo(ClusterSettings.Mode.SINGLE);
        assertThat(settings.election()).isEqualTo(new ElectionSettings(Duration.ofSeconds(1), Duration.ofSeconds(2)));
        assertThat(settings.snapshotAfterBytes()).isEqualTo(64L * 1024 * 1024);
        assertThat(settings.output()).isEqualTo(NodeSettings.OutputFormat.TEXT);
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void name_and_directory_must_be_given() {
        assertThat(problems("node.name", "", "data.dir", ""))
                .containsExactly(
                        "node.name: must be given: the node's name in the cluster: letters, digits, '.', '_', '-', at"
                                + " most 63",
                        "data.dir: must be given: the directory that keeps the node's log and identity");
    }

    @Test
    void fast_elections_take_300_to_600_ms() {
        assertThat(read("election.profile", "fast").election())
                .isEqualTo(new ElectionSettings(Duration.ofMillis(300), Duration.ofMillis(600)));
    }

    @Test
    void election_times_may_be_given_in_place_of_a_profile() {
        assertThat(read("election.min", "700", "election.max", "2s").election())
                .isEqualTo(new ElectionSettings(Duration.ofMillis(700), Duration.ofSeconds(2)));
        assertThat(problems("election.min", "700", "election.max", "2s", "election.profile", "default"))
                .containsExactly("election.profile = \"default\" (flag): must not be given beside election.min and"
                        + " election.max");
    }

    @Test
    void election_times_come_in_pairs_and_in_order() {
        assertThat(problems("election.max", "900"))
                .containsExactly("election.max = \"900\" (flag): needs election.min beside it");
        assertThat(problems("election.min", "1s", "election.max", "1000"))
                .containsExactly("election.max = \"1000\" (flag): must be above election.min, which is 1s");
    }

    @ParameterizedTest
    @CsvSource({"49", "60001", "61s", "-5", "1.5s", "999999999999", "fast"})
    void election_time_out_of_range_is_refused_with_the_range(String time) {
        assertThat(problems("election.min", "50", "election.max", time))
                .containsExactly("election.max = \"" + time + "\" (flag): must be a time from 50ms to 60s, such as 300"
                        + " or 300ms");
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 4096",
        "4KB, 4096",
        "1 mb, 1048576",
        "64GB, 68719476736",
        "100B00, -1",
        "4095, -1",
        "65GB, -1",
        "999999999999GB, -1",
        "1TB, -1"
    })
    void sizes_have_units_of_1024_and_a_range(String text, long expected) {
        if (expected < 0) {
            assertThat(problems("snapshot.after.bytes", text))
                    .containsExactly("snapshot.after.bytes = \"" + text
                            + "\" (flag): must be a size from 4KB to 64GB, such as 67108864 or 64MB");
        } else {
            assertThat(read("snapshot.after.bytes", text).snapshotAfterBytes()).isEqualTo(expected);
        }
    }

    @Test
    void format_and_part_are_one_of_few_words() {
        assertThat(read("log.format", "json").output()).isEqualTo(NodeSettings.OutputFormat.JSON);
        assertThat(problems("log.format", "JSON", "node.part", "boss"))
                .containsExactly(
                        "node.part = \"boss\" (flag): must be voter or witness or learner",
                        "log.format = \"JSON\" (flag): must be text or json");
    }

    @Test
    void region_is_a_plain_word() {
        assertThat(problems("node.region", "eu;witness"))
                .containsExactly("node.region = \"eu;witness\" (flag): region: must be letters, digits, '.', '_' and"
                        + " '-', at most 63");
    }

    @Test
    void settings_cannot_be_changed_through_what_they_hand_out() {
        NodeSettings settings = read("cluster.members", "n1=127.0.0.1:1/127.0.0.1:2");
        for (List<?> list : List.of(
                settings.describe(),
                settings.cluster().members(),
                settings.cluster().join())) {
            assertThat(list).isUnmodifiable();
        }
    }
}
