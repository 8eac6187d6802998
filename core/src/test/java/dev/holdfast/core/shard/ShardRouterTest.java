package dev.holdfast.core.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.LockKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShardRouterTest {
    private static final ShardId ONE = new ShardId(1);
    private static final ShardId TWO = new ShardId(2);
    private static final ShardId THREE = new ShardId(3);

    private final ShardRouter hashing = new ShardRouter(shards(8), List.of());

    @Test
    void keys_of_a_subtree_stay_together_with_and_without_a_leading_slash() {
        for (int tree = 0; tree < 200; tree++) {
            String top = "tree" + tree;
            assertThat(shardsOf(top, "/" + top, top + "/", "/" + top + "/a", top + "/a/b/c", "/" + top + "/z"))
                    .as(top)
                    .hasSize(1);
        }
    }

    @Test
    void tagged_keys_stay_together_whatever_else_they_are_called() {
        for (int tag = 0; tag < 200; tag++) {
            String braces = "{t" + tag + "}";
            assertThat(shardsOf("a/" + braces, "/b" + braces + "/c", braces, "x/y/z" + braces + "{other}"))
                    .as(braces)
                    .hasSize(1);
        }
    }

    @Test
    void tag_is_routed_as_the_segment_of_that_name() {
        assertThat(shardOf("any/{users}/x")).isEqualTo(shardOf("/users/y"));
    }

    /** Each of these is routed by its first segment; with eight shards and fifty tops a tag would show. */
    @Test
    void braces_that_are_empty_or_not_closed_are_no_tag() {
        for (int i = 0; i < 50; i++) {
            String top = "top" + i;
            assertThat(shardsOf(top, top + "/{}/{x}", top + "/{x", top + "/x}", top + "/}x{"))
                    .as(top)
                    .hasSize(1);
        }
    }

    @Test
    void longest_matching_prefix_rule_decides_before_tags_and_hashing() {
        ShardRouter router = router(
                new PrefixRule("/locks/db", ONE),
                new PrefixRule("locks/db/users", TWO),
                new PrefixRule("locks/db/users/a", THREE),
                new PrefixRule("locks/", THREE),
                new PrefixRule("order:", TWO));

        assertThat(router.shardOf(LockKey.of("/locks/db/orders"))).isEqualTo(ONE);
        assertThat(router.shardOf(LockKey.of("/locks/db/users/7"))).isEqualTo(TWO);
        assertThat(router.shardOf(LockKey.of("locks/db/users/abc"))).isEqualTo(THREE);
        assertThat(router.shardOf(LockKey.of("locks/db/users/{t}"))).isEqualTo(TWO);
        assertThat(router.shardOf(LockKey.of("locks/dbx"))).isEqualTo(ONE);
        assertThat(router.shardOf(LockKey.of("/locks/dc"))).isEqualTo(THREE);
        assertThat(router.shardOf(LockKey.of("order:12345"))).isEqualTo(TWO);
    }

    @Test
    void key_that_no_rule_covers_is_hashed_as_without_rules() {
        ShardRouter ruled = router(new PrefixRule("b", ONE), new PrefixRule("locks/db", TWO));
        ShardRouter plain = router();
        for (String key : List.of("a", "c/d", "locks", "/locks/d", "locks/dz", "z{b}", "{locks/db}")) {
            assertThat(ruled.shardOf(LockKey.of(key))).as(key).isEqualTo(plain.shardOf(LockKey.of(key)));
        }
    }

    @Test
    void empty_prefix_covers_every_key() {
        ShardRouter router = router(new PrefixRule("/", TWO), new PrefixRule("b", THREE));

        assertThat(router.shardOf(LockKey.of("anything/{at}/all"))).isEqualTo(TWO);
        assertThat(router.shardOf(LockKey.of("/"))).isEqualTo(TWO);
        assertThat(router.shardOf(LockKey.of("/bc"))).isEqualTo(THREE);
    }

    @Test
    void order_in_which_shards_and_rules_are_listed_does_not_matter() {
        List<PrefixRule> rules = List.of(new PrefixRule("a", ONE), new PrefixRule("ab", TWO));
        ShardRouter forwards = new ShardRouter(List.of(ONE, TWO, THREE), rules);
        ShardRouter backwards = new ShardRouter(List.of(THREE, TWO, ONE, TWO), List.of(rules.get(1), rules.get(0)));
        for (int i = 0; i < 1_000; i++) {
            LockKey key = LockKey.of(Integer.toString(i, 16));
            assertThat(forwards.shardOf(key)).isEqualTo(backwards.shardOf(key));
        }
    }

    /** These values are the format. If this test fails, a new version would look for every key elsewhere. */
    @Test
    void scores_never_change() {
        assertThat(score("", 0)).isEqualTo(0xd84d1f8ea453246eL);
        assertThat(score("users", 1)).isEqualTo(0x8dbc48f37e335755L);
        assertThat(score("größe", -7)).isEqualTo(0x7c3fdad1c5936d16L);
    }

    @Test
    void router_without_shards_or_with_contradictory_rules_is_refused() {
        assertThatThrownBy(() -> new ShardRouter(List.of(), List.of())).hasMessageContaining("at least one");
        assertThatThrownBy(() -> router(new PrefixRule("a", new ShardId(9))))
                .hasMessageContaining("\"a\" names shard 9")
                .hasMessageContaining("[1, 2, 3]");
        assertThatThrownBy(() -> router(new PrefixRule("a", ONE), new PrefixRule("/a", TWO)))
                .hasMessageContaining("given twice, for shard 1 and for shard 2");
    }

    private static long score(String part, long shard) {
        return Rendezvous.score(part.getBytes(StandardCharsets.UTF_8), new ShardId(shard));
    }

    private static ShardRouter router(PrefixRule... rules) {
        return new ShardRouter(shards(3), List.of(rules));
    }

    private ShardId shardOf(String key) {
        return hashing.shardOf(LockKey.of(key));
    }

    private Set<ShardId> shardsOf(String... keys) {
        return Stream.of(keys).map(this::shardOf).collect(Collectors.toSet());
    }

    static List<ShardId> shards(int count) {
        return LongStream.rangeClosed(1, count).mapToObj(ShardId::new).toList();
    }
}
