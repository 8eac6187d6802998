package dev.holdfast.server.settings.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.IdentitySettings;
import dev.holdfast.server.settings.NodeSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcesTest {
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> flags = new HashMap<>();
    private Path file = Path.of("");

    @BeforeEach
    void nameFile(@TempDir Path directory) {
        file = directory.resolve("holdfast.conf");
    }

    @Test
    void file_has_keys_and_values_comments_and_empty_lines() throws IOException {
        write(
                "# a node",
                "",
                "  node.name=n7",
                "data.dir = C:\\locks #1",
                "\t# indented",
                "node.region   =   eu-west  ");

        NodeSettings settings = read();

        assertThat(settings.identity().name()).isEqualTo("n7");
        assertThat(settings.identity().dataDirectory()).isEqualTo(Path.of("C:\\locks #1"));
        assertThat(settings.identity().region()).isEqualTo("eu-west");
    }

    @Test
    void environment_is_over_the_file_and_flags_are_over_both() throws IOException {
        write("node.name = f", "data.dir = /f", "node.region = f");
        environment.put("HOLDFAST_DATA_DIR", "/e");
        environment.put("HOLDFAST_NODE_REGION", "e");
        flags.put("node.region", "flag");

        IdentitySettings identity = read().identity();

        assertThat(identity.name()).isEqualTo("f");
        assertThat(identity.dataDirectory()).isEqualTo(Path.of("/e"));
        assertThat(identity.region()).isEqualTo("flag");
    }

    @Test
    void empty_value_takes_back_what_a_lower_source_says() throws IOException {
        write("node.name = n1", "data.dir = /d", "cluster.join = 127.0.0.1:4700");
        environment.put("HOLDFAST_CLUSTER_JOIN", "");

        assertThat(read().cluster().mode()).isEqualTo(ClusterSettings.Mode.SINGLE);
    }

    @Test
    void every_key_is_described_with_its_value_and_where_that_came_from() throws IOException {
        write("node.name = n1", "log.format = json");
        environment.put("HOLDFAST_DATA_DIR", "/e");
        flags.put("election.profile", "fast");

        assertThat(read().describe())
                .hasSize(Setting.values().length)
                .contains(
                        "node.name = \"n1\" (" + file + ":1)",
                        "log.format = \"json\" (" + file + ":2)",
                        "data.dir = \"/e\" (environment)",
                        "election.profile = \"fast\" (flag)",
                        "election.min = \"300ms\" (from election.profile)",
                        "client.advertise = \"127.0.0.1:4600\" (from client.address)",
                        "snapshot.after.bytes = \"64MB\" (default)");
    }

    @Test
    void unknown_key_in_the_file_is_an_error_with_its_line_that_suggests_the_nearest() throws IOException {
        write("node.name = n1", "", "client.adress = 127.0.0.1:1");

        assertThatThrownBy(this::read)
                .hasMessageContaining(
                        "client.adress = \"127.0.0.1:1\" (" + file + ":3): unknown; did you mean" + " client.address?");
    }

    @Test
    void unknown_variable_is_an_error_that_suggests_the_nearest() {
        environment.put("HOLDFAST_NODE_NAM", "n1");

        assertThatThrownBy(this::read)
                .hasMessageContaining(
                        "HOLDFAST_NODE_NAM = \"n1\" (environment): unknown; did you mean HOLDFAST_NODE_NAME?");
    }

    @Test
    void unknown_flag_is_an_error_that_suggests_the_nearest_or_lists_all() {
        flags.put("Data-Dir", "/d");
        flags.put("whatsoever", "1");

        assertThatThrownBy(this::read)
                .hasMessageContaining("Data-Dir = \"/d\" (flag): unknown; did you mean data.dir?")
                .hasMessageContaining("whatsoever = \"1\" (flag): unknown; there are node.name, node.region,");
    }

    @Test
    void variables_of_other_programs_and_of_the_command_line_are_none_of_the_nodes() {
        environment.put("PATH", "/bin");
        Sources.OTHERS.forEach(name -> environment.put(name, "x"));
        flags.putAll(Reading.flags());

        assertThat(read().identity().name()).isEqualTo("n1");
        assertThat(Sources.OTHERS)
                .containsExactlyInAnyOrder(
                        "HOLDFAST_ENDPOINTS",
                        "HOLDFAST_AUTH_TOKEN",
                        "HOLDFAST_CACERT",
                        "HOLDFAST_JAVA_OPTS",
                        "HOLDFAST_BENCH_JVM");
    }

    @Test
    void every_problem_of_every_source_is_reported_at_once() throws IOException {
        write("node.name = a b", "no equals sign", "= 5", "log.format = xml", "log.format = text");
        environment.put("HOLDFAST_INSECURE", "maybe");
        flags.put("election.min", "1h");

        assertThatThrownBy(this::read)
                .isInstanceOfSatisfying(
                        SettingsException.class,
                        refused -> assertThat(refused.problems())
                                .containsExactly(
                                        "\"no equals sign\" (" + file
                                                + ":2): must be \"key = value\", or a comment after #",
                                        "\"= 5\" (" + file + ":3): must be \"key = value\", or a comment after #",
                                        "log.format = \"text\" (" + file + ":5): is given twice, first at " + file
                                                + ":4",
                                        "node.name = \"a b\" (" + file
                                                + ":1): node name: letters, digits, '.', '_' and '-', at most"
                                                + " 63, was \"a b\"",
                                        "data.dir: must be given: the directory that keeps the node's log and identity",
                                        "HOLDFAST_INSECURE = \"maybe\" (environment): must be true or false",
                                        "election.min = \"1h\" (flag): must be a time from 50ms to 60s, such as 300 or 300ms",
                                        "election.min = \"1h\" (flag): needs election.max beside it",
                                        "log.format = \"xml\" (" + file + ":4): must be text or json"));
    }

    @Test
    void file_that_is_missing_or_no_text_is_a_problem() throws IOException {
        assertThatThrownBy(() -> SettingsReader.read(Optional.of(file), Map.of(), Reading.flags()))
                .hasMessage("settings file " + file + ": does not exist");
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> SettingsReader.read(Optional.of(file), Map.of(), Reading.flags()))
                .hasMessage("settings file " + file + ": must be UTF-8 text");
    }

    @Test
    void control_characters_of_a_value_do_not_reach_the_message() {
        flags.putAll(Reading.flags("log.format", "a\nnode.name = \u001b[2J"));

        assertThatThrownBy(this::read).hasMessageContaining("\"a\\u000anode.name = \\u001b[2J\"");
    }

    @Test
    void every_key_has_a_variable_of_its_own_and_a_meaning() {
        for (Setting setting : Setting.values()) {
            assertThat(Setting.ofKey(setting.key())).contains(setting);
            assertThat(Setting.ofVariable(setting.variable())).contains(setting);
            assertThat(setting.meaning()).isNotBlank();
        }
        assertThat(Setting.CLIENT_ADDRESS.variable()).isEqualTo("HOLDFAST_CLIENT_ADDRESS");
    }

    private NodeSettings read() {
        return SettingsReader.read(Files.exists(file) ? Optional.of(file) : Optional.empty(), environment, flags);
    }

    private void write(String... lines) throws IOException {
        Files.writeString(file, String.join("\n", lines), StandardCharsets.UTF_8);
    }
}
