package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What cannot be an access is refused by the name of what is wrong. */
@Timeout(60)
class AccessTest {
    @Test
    void token_must_be_positive() {
        refused("token", () -> Access.exclusive("a", 0));
        refused("token", () -> Access.shared("a", -1));
        refused("token", () -> Access.permit("a", Long.MIN_VALUE, 0));
    }

    @Test
    void key_must_not_be_empty_nor_longer_than_a_cluster_allows() {
        refused("key", () -> Access.exclusive("", 1));
        refused("key", () -> Access.exclusive("ä".repeat(513), 1));
        Access.exclusive("ä".repeat(512), 1);
    }

    @Test
    void slot_belongs_to_permits_alone() {
        refused("slot", () -> Access.permit("a", 1, -1));
        refused("slot", () -> Access.permit("a", 1, Access.MAX_SLOT + 1));
        refused("slot", () -> new Access("a", 1, Access.Mode.EXCLUSIVE, 0, 0));
    }

    @Test
    void number_of_a_write_is_positive_and_not_of_a_reader() {
        refused("sequence", () -> Access.exclusive("a", 1).write(0));
        refused("sequence", () -> Access.exclusive("a", 1).write(-7));
        refused("sequence", () -> Access.shared("a", 1).write(1));
    }

    @Test
    void text_says_all_of_an_access_in_ascii() {
        assertThat(Access.exclusive("orders/42", 33).text()).isEqualTo("orders/42=33");
        assertThat(Access.permit("jobs", 33, 2).write(7).text()).isEqualTo("jobs=33;permit=2;write=7");
        for (String key : new String[] {"a", "a=b;c", "ü +%", "a/b//", "x\ny"}) {
            for (Access access : new Access[] {
                Access.exclusive(key, Long.MAX_VALUE),
                Access.exclusive(key, 1).write(3),
                Access.shared(key, 2),
                Access.permit(key, 5, 0)
            }) {
                assertThat(Access.parse(access.text())).isEqualTo(access);
                assertThat(access.text()).matches("[!-~]+");
            }
        }
    }

    @Test
    void text_that_is_none_is_refused_by_what_is_wrong() {
        refused("token", () -> Access.parse(""));
        refused("token", () -> Access.parse("orders"));
        refused("token", () -> Access.parse("orders="));
        refused("token", () -> Access.parse("orders=x"));
        refused("token", () -> Access.parse("orders=-1"));
        refused("token", () -> Access.parse("orders=99999999999999999999"));
        refused("key", () -> Access.parse("=1"));
        refused("key", () -> Access.parse("%zz=1"));
        refused("slot", () -> Access.parse("a=1;permit=-1"));
        refused("slot", () -> Access.parse("a=1;permit=5000000000"));
        refused("sequence", () -> Access.parse("a=1;write=0"));
        refused("sequence", () -> Access.parse("a=1;shared;write=1"));
        refused("mode", () -> Access.parse("a=1;what"));
    }

    private static void refused(String field, ThrowingCallable access) {
        assertThatExceptionOfType(InvalidAccessException.class)
                .isThrownBy(access)
                .withMessageStartingWith(field + ": ")
                .satisfies(wrong -> assertThat(wrong.field()).isEqualTo(field));
    }
}
