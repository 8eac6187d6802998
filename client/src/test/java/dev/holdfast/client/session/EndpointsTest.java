package dev.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointsTest {
    private final Endpoints endpoints = new Endpoints(List.of("a:1", "b:1", "c:1"), 4);

    @Test
    void begins_anywhere_and_takes_the_next_after_a_failure() {
        assertThat(endpoints.current()).isEqualTo("b:1");
        endpoints.failed();
        assertThat(endpoints.current()).isEqualTo("c:1");
        endpoints.failed();
        assertThat(endpoints.current()).isEqualTo("a:1");
    }

    @Test
    void goes_where_the_leader_is_said_to_be_though_nobody_gave_that_address() {
        endpoints.hint("d:1");
        assertThat(endpoints.hop()).isTrue();
        assertThat(endpoints.current()).isEqualTo("d:1");
        assertThat(endpoints.all()).contains("d:1");
    }

    @Test
    void stays_where_it_is_after_five_hops_until_it_has_settled() {
        for (int i = 0; i < Endpoints.MAX_HOPS; i++) {
            endpoints.hint("x" + i + ":1");
            assertThat(endpoints.hop()).isTrue();
        }
        endpoints.hint("a:1");
        assertThat(endpoints.hop()).isFalse();
        endpoints.settled();
        endpoints.hint("a:1");
        assertThat(endpoints.hop()).isTrue();
    }

    @Test
    void a_hint_to_where_it_is_already_leads_nowhere() {
        endpoints.hint("b:1");
        assertThat(endpoints.hop()).isFalse();
        assertThat(endpoints.current()).isEqualTo("b:1");
    }

    @Test
    void what_a_cluster_tells_of_is_bounded() {
        for (int i = 0; i < 1_000; i++) {
            endpoints.learn(List.of("host" + i + ":1"));
        }
        assertThat(endpoints.count()).isLessThanOrEqualTo(64);
    }
}
