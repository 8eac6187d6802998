package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadTest {
    private static final long KILO = 1024;

    private final Unread unread = new Unread(1024 * KILO);
    private final List<String> givenUp = new ArrayList<>();

    private Unread.Account open(String caller, String stream) {
        return unread.open(caller, why -> givenUp.add(stream + ": " + why));
    }

    @Test
    void of_a_caller_that_keeps_too_much_the_stream_with_most_is_given_up() {
        Unread.Account large = open("a", "large");
        Unread.Account small = open("a", "small");
        open("b", "other").keeps(200 * KILO);
        large.keeps(190 * KILO);
        small.keeps(60 * KILO);
        assertThat(givenUp).isEmpty();
        small.keeps(70 * KILO);
        assertThat(givenUp)
                .containsExactly("large: " + 260 * KILO + " bytes that this caller did not read, of at most 262144");
        large.close();
        small.keeps(250 * KILO);
        assertThat(givenUp).hasSize(1);
    }

    @Test
    void of_all_callers_together_the_stream_with_most_is_given_up() {
        for (int i = 0; i < 5; i++) {
            open("c" + i, "s" + i).keeps((200 + i) * KILO);
        }
        assertThat(givenUp).isEmpty();
        open("d", "one more").keeps(20 * KILO);
        assertThat(givenUp).singleElement().asString().startsWith("s4: ").contains("of at most 1048576");
    }

    @Test
    void what_was_read_does_not_count() {
        for (int i = 0; i < 1_000; i++) {
            Unread.Account account = open("a", "s" + i);
            account.keeps(100 * KILO);
            account.keeps(i % 2 == 0 ? 0 : 50 * KILO);
            account.close();
        }
        assertThat(givenUp).isEmpty();
    }
}
