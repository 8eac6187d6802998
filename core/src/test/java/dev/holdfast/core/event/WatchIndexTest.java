package dev.holdfast.core.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchIndexTest {
    private final WatchIndex<String> watches = new WatchIndex<>();

    @Test
    void watch_is_found_by_its_key_and_by_any_prefix_of_a_key() {
        watches.addKey("orders/42", "exact");
        watches.addKey("orders/4", "other");
        watches.addPrefix("orders/", "prefix");
        watches.addPrefix("", "all");
        watches.addPrefix("orders/42/", "below");
        assertThat(matching("orders/42")).containsExactlyInAnyOrder("exact", "prefix", "all");
        assertThat(matching("invoices/1")).containsExactly("all");
    }

    @Test
    void watch_on_several_keys_of_one_event_is_found_once() {
        watches.addPrefix("a", "w");
        watches.addKey("ab", "w");
        assertThat(matching("ab", "ac")).containsExactly("w");
    }

    @Test
    void removed_watch_is_not_found() {
        watches.addKey("a", "one");
        watches.addKey("a", "two");
        watches.addPrefix("a", "three");
        watches.removeKey("a", "one");
        watches.removePrefix("a", "three");
        assertThat(matching("a")).containsExactly("two");
    }

    private List<String> matching(String... keys) {
        List<Hold> holds = new ArrayList<>();
        for (String key : keys) {
            holds.add(Hold.of(LockKey.of(key), Kind.PLAIN, Mode.EXCLUSIVE));
        }
        List<String> found = new ArrayList<>();
        Event.Party party = new Event.Party(new LeaseId(1), "client", 1);
        watches.match(new Event.Queued(1, 0, 0, party, holds), found::add);
        return found;
    }
}
