package dev.holdfast.client.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.client.api.Slots;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExportedGrantTest {
    private static final ExportedGrant TEXT = new ExportedGrant(42, 10_000, 7, 99, 5_000, true, keys());

    private static Map<String, Slots> keys() {
        Map<String, Slots> keys = new LinkedHashMap<>();
        keys.put("a", Slots.NONE);
        keys.put("b/ü", Slots.ofRanges(List.of(0, 3, 7, 7)));
        return keys;
    }

    @Test
    void what_is_written_is_read_back() {
        assertThat(ExportedGrant.read(TEXT.write())).isEqualTo(TEXT);
        assertThat(ExportedGrant.read(" " + TEXT.write() + "\n")).isEqualTo(TEXT);
    }

    @Test
    void whatever_else_is_refused() {
        String text = TEXT.write();
        for (String bad :
                List.of("", "hf2.", "hf1." + text, text.substring(0, text.length() - 3), text + "AA", "hf2.%")) {
            assertThatThrownBy(() -> ExportedGrant.read(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
