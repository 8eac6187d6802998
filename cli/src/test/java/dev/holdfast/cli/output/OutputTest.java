package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.Header;
import dev.holdfast.protocol.v1.Holder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputTest {
    private static String printed(Table table, boolean coloured) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        table.print(out, new Ink(coloured));
        out.flush();
        return text.toString();
    }

    @Test
    void columns_are_aligned_numbers_to_the_right_and_nothing_is_a_dash() {
        Table table = new Table("KEY", "TOKEN", "PURPOSE").row("a", 7, "").row("orders/42", 1234, "reindex");

        assertThat(printed(table, false)).isEqualTo("""
                KEY        TOKEN  PURPOSE
                a              7  -
                orders/42   1234  reindex
                """);
        assertThat(printed(new Table("NOTE").row(""), false)).isEqualTo("NOTE\n-\n");
    }

    @Test
    void what_others_wrote_does_not_steer_the_terminal() {
        assertThat(printed(new Table("KEY").row("\u001b[2Jgone\r\n"), false)).isEqualTo("KEY\n?[2Jgone??\n");
    }

    @Test
    void only_the_heading_is_coloured_and_only_where_wanted() {
        assertThat(printed(new Table("KEY").row("a"), true)).isEqualTo("\u001b[1mKEY\u001b[0m\na\n");
    }

    @Test
    void json_has_the_names_of_the_protocol_and_whole_tokens() {
        Holder holder = Holder.newBuilder()
                .setHolderId("a\"b\n\u0001")
                .setFencingToken(Long.MAX_VALUE)
                .setMetadata(ByteString.copyFromUtf8("host=x"))
                .build();

        assertThat(Json.line(holder))
                .startsWith(
                        "{\"holder_id\":\"a\\\"b\\n\\u0001\",\"fencing_token\":\"9223372036854775807\",\"hold\":null,")
                .contains("\"held_ms\":0", "\"lingering\":false", "\"metadata\":\"host=x\"");
        assertThat(Json.line(Header.newBuilder().setMemberId(-1).setRevision(5)))
                .contains("\"member_id\":\"18446744073709551615\"", "\"revision\":5");
        assertThat(Json.line(Holder.newBuilder().setMetadata(ByteString.copyFrom(new byte[] {-1}))))
                .contains("\"metadata\":\"base64:/w==\"");
    }

    @Test
    void json_can_be_pretty_or_on_one_line() {
        Map<String, Object> value = Map.of("list", List.of(1, true, "x"));

        assertThat(Json.line(value)).isEqualTo("{\"list\":[1,true,\"x\"]}");
        assertThat(Json.pretty(value)).isEqualTo("{\n  \"list\": [\n    1,\n    true,\n    \"x\"\n  ]\n}");
        assertThat(Json.pretty(List.of())).isEqualTo("[]");
        assertThat(Json.pretty(Map.of("a", Map.of()))).isEqualTo("{\n  \"a\": {}\n}");
        assertThat(Json.line("\ud83d\ude00 \ud800")).isEqualTo("\"\ud83d\ude00 \\ud800\"");
    }

    @Test
    void json_does_not_steer_the_terminal_either() {
        assertThat(Json.line(Map.of("\u001b[2J", "\u0000\u007f\u009b\u00e9")))
                .isEqualTo("{\"\\u001b[2J\":\"\\u0000\\u007f\\u009b\u00e9\"}");
    }

    @Test
    void durations_are_read_with_a_unit() {
        assertThat(Durations.parse("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.parse("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(Durations.parse("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(Durations.parse("2h")).isEqualTo(Duration.ofHours(2));
        assertThat(Durations.parse("1d")).isEqualTo(Duration.ofDays(1));
        for (String wrong : List.of("", "5", "s", "-5s", "5 s", "5s5", "1.5s", "99999999999s")) {
            assertThatThrownBy(() -> Durations.parse(wrong)).hasMessageContaining("not a duration");
        }
    }

    @Test
    void durations_are_written_short() {
        assertThat(List.of(0L, 999L, 1_500L, 59_999L, 60_000L, 90_000L, 3_600_000L, 5_400_000L, 90_000_000L).stream()
                        .map(Durations::text))
                .containsExactly("0ms", "999ms", "1.5s", "59s", "1m", "1m30s", "1h", "1h30m", "1d1h");
    }
}
