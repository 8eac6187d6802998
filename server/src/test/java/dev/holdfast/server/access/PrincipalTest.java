package dev.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.LockKey;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PrincipalTest {
    private static final LockKey OWN = LockKey.of("acme/orders/42");

    private static Principal of(String tenant, KeyPermission... grants) {
        return Principal.of("ann", tenant, List.of(grants), Long.MAX_VALUE);
    }

    @Test
    void nothing_is_allowed_that_was_not_granted() {
        Principal nobody = of("");
        assertThat(nobody.may(Verb.READ, OWN)).isFalse();
        assertThat(nobody.maySomewhere(Verb.READ)).isFalse();
        assertThat(nobody.mayEverywhere(Verb.READ)).isFalse();
    }

    @Test
    void a_grant_is_for_the_keys_that_begin_so() {
        Principal principal = of("", new KeyPermission("acme/orders/", Verb.LOCK));
        assertThat(principal.may(Verb.LOCK, OWN)).isTrue();
        assertThat(principal.may(Verb.LOCK, LockKey.of("acme/orders"))).isFalse();
        assertThat(principal.may(Verb.LOCK, LockKey.of("acme/orders/"))).isTrue();
        assertThat(principal.may(Verb.LOCK, LockKey.of("acme/order/42"))).isFalse();
    }

    @Test
    void a_verb_includes_those_before_it_and_no_other() {
        Principal principal = of("", new KeyPermission("", Verb.LOCK));
        assertThat(principal.may(Verb.READ, OWN)).isTrue();
        assertThat(principal.may(Verb.LOCK, OWN)).isTrue();
        assertThat(principal.may(Verb.ADMIN, OWN)).isFalse();
    }

    @Test
    void a_tenant_bounds_whatever_was_granted() {
        Principal principal = of("acme", new KeyPermission("", Verb.ADMIN));
        assertThat(principal.may(Verb.ADMIN, OWN)).isTrue();
        assertThat(principal.may(Verb.READ, LockKey.of("acme"))).isFalse();
        assertThat(principal.may(Verb.READ, LockKey.of("acmes/orders"))).isFalse();
        assertThat(principal.may(Verb.READ, LockKey.of("other/orders"))).isFalse();
        assertThat(principal.mayEverywhere(Verb.READ)).isFalse();
    }

    @Test
    void a_grant_outside_the_tenant_is_worth_nothing() {
        Principal principal = of("acme", new KeyPermission("other/", Verb.LOCK));
        assertThat(principal.may(Verb.LOCK, LockKey.of("other/x"))).isFalse();
        assertThat(principal.maySomewhere(Verb.LOCK)).isFalse();
        assertThat(of("acme", new KeyPermission("ac", Verb.LOCK)).maySomewhere(Verb.LOCK))
                .isTrue();
    }

    @Test
    void no_two_principals_have_one_id() {
        assertThat(of("acme").id()).isNotEqualTo(of("").id()).isEqualTo("acme/ann");
        assertThat(Principal.of("acme/ann", "", List.of(), 0).id())
                .isNotEqualTo(of("acme").id());
        assertThat(Principal.of("", "", List.of(), 0).id()).isNotEqualTo(Principal.ANYBODY.id());
        assertThatThrownBy(() -> of("a/b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void no_name_looks_like_another_s_with_a_credential() {
        List<String> ids = List.of("ann", "ann#x", "ann%23x", "ann%2523x").stream()
                .map(name ->
                        Principal.of(name, "acme", List.of(), Long.MAX_VALUE).id())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().allSatisfy(id -> assertThat(id).doesNotContain("#"));
    }

    @Test
    void one_who_has_not_said_who_they_are_may_do_nothing() {
        assertThat(Principal.NOBODY.may(Verb.READ, OWN)).isFalse();
        assertThat(Principal.NOBODY.maySomewhere(Verb.READ)).isFalse();
        assertThat(Principal.NOBODY.readableUnder("")).isEmpty();
    }
}
