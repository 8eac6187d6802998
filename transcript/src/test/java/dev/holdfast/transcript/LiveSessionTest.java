package dev.holdfast.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiveSessionTest {
    private final LiveSession session = new LiveSession();

    @Test
    void time_that_has_passed_ends_leases() {
        assertThat(session.nextDeadlineMillis()).isEqualTo(Long.MAX_VALUE);
        assertThat(session.play("alice opens a lease for 10s", 5)).containsExactly("alice's lease is open");
        assertThat(session.advance(10_005)).isEmpty();
        assertThat(session.advance(session.nextDeadlineMillis() - 1)).isEmpty();

        assertThat(session.advance(session.nextDeadlineMillis())).containsExactly("alice's lease has expired");
    }

    @Test
    void a_line_comes_after_what_happened_until_then() {
        session.play("alice opens a lease for 1s", 0);

        assertThat(session.play("bob opens a lease for 1s", 5_000))
                .containsExactly("alice's lease has expired", "bob's lease is open");
    }

    @Test
    void after_skips_time() {
        session.play("alice opens a lease for 10s", 0);

        assertThat(session.play("after 9s", 100)).isEmpty();
        assertThat(session.nextDeadlineMillis()).isLessThan(1_100);
        assertThat(session.advance(1_100)).containsExactly("alice's lease has expired");
    }

    @Test
    void a_block_is_played_when_it_ends() {
        assertThat(session.play("in one entry:", 0)).isEmpty();
        assertThat(session.play("- alice opens a lease for 10s", 0)).isEmpty();
        assertThat(session.play("- bob opens a lease for 10s", 0)).isEmpty();

        assertThat(session.play("", 0)).containsExactly("alice's lease is open", "bob's lease is open");
        assertThat(session.play("", 0)).isEmpty();
    }
}
