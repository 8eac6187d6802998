package dev.holdfast.core.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.Item;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DestinationTest {
    private static final ShardId ONE = new ShardId(1);
    private static final ShardId TWO = new ShardId(2);

    private final ShardRouter router =
            router(new PrefixRule("a", ONE), new PrefixRule("b", TWO), new PrefixRule("b/deep/", ONE));

    @Test
    void request_over_keys_of_one_shard_goes_to_it() {
        assertThat(keys("a/1", "/a/2", "b/deep/3")).isEqualTo(new Destination.OneShard(ONE));
    }

    @Test
    void request_over_keys_of_two_shards_is_refused_and_names_who_disagrees() {
        Destination refused = keys("a/1", "/a/2", "b/3", "b/4");

        assertThat(refused).isEqualTo(new Destination.TwoShards(LockKey.of("a/1"), ONE, LockKey.of("b/3"), TWO));
        assertThat(((Destination.Refused) refused).message())
                .isEqualTo("keys: must be of one shard, but \"a/1\" is on shard 1 and \"b/3\" on shard 2; give both"
                        + " the same {tag}, or a prefix rule");
    }

    @Test
    void request_over_no_key_has_no_shard() {
        assertThatThrownBy(() -> router.destinationOfKeys(List.of())).hasMessageContaining("at least one");
    }

    @Test
    void subtree_with_a_tag_or_under_a_rule_goes_to_one_shard() {
        assertThat(subtree("a/any")).isEqualTo(new Destination.OneShard(ONE));
        assertThat(subtree("/b/other")).isEqualTo(new Destination.OneShard(TWO));
        LockKey tagged = LockKey.of("x/{t}");
        assertThat(subtree("x/{t}")).isEqualTo(new Destination.OneShard(router.shardOf(tagged)));
    }

    /** The subtree's shard would grant beside a holder of "x/{t}/1", which another shard knows alone. */
    @Test
    void subtree_below_which_tagged_keys_may_be_elsewhere_is_refused() {
        assertThat(subtree("x")).isEqualTo(new Destination.OpenSubtree(LockKey.of("x")));
        assertThat(subtree("/")).isInstanceOf(Destination.Refused.class);
        assertThat(subtree("x/{t")).isInstanceOf(Destination.OpenSubtree.class);
    }

    @Test
    void subtree_that_a_rule_cuts_is_refused_and_names_the_rule() {
        Destination refused = subtree("b");

        assertThat(refused)
                .isEqualTo(new Destination.RuleInSubtree(LockKey.of("b"), TWO, new PrefixRule("b/deep/", ONE)));
        assertThat(((Destination.Refused) refused).message()).contains("\"b/deep/\" sends a part of it to shard 1");
        assertThat(subtree("/b/deep")).isInstanceOf(Destination.RuleInSubtree.class);
    }

    @Test
    void any_subtree_goes_to_the_only_shard_there_is() {
        ShardRouter single = new ShardRouter(List.of(TWO), List.of(new PrefixRule("x", TWO)));
        assertThat(single.destinationOf(List.of(Item.subtree(LockKey.of("/"), Mode.SHARED))))
                .isEqualTo(new Destination.OneShard(TWO));
    }

    @Test
    void plain_key_beside_a_subtree_must_be_of_its_shard() {
        Item subtree = Item.subtree(LockKey.of("a"), Mode.EXCLUSIVE);

        assertThat(router.destinationOf(List.of(Item.exclusive(LockKey.of("a/1")), subtree)))
                .isEqualTo(new Destination.OneShard(ONE));
        assertThat(router.destinationOf(List.of(Item.exclusive(LockKey.of("b/1")), subtree)))
                .isInstanceOf(Destination.TwoShards.class);
    }

    /** What makes a subtree lock safe: no key that it covers is ever granted by another shard. */
    @Test
    void every_key_below_an_accepted_subtree_is_of_its_shard() {
        int accepted = 0;
        for (long seed = 1; seed <= 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ShardRouter routes = router(
                    new PrefixRule(name(random, 4), ONE),
                    new PrefixRule(name(random, 4) + "/b", TWO),
                    new PrefixRule("{a}" + name(random, 3), TWO));
            LockKey top = LockKey.of("/" + name(random, 5));
            if (routes.destinationOf(List.of(Item.subtree(top, Mode.EXCLUSIVE)))
                    instanceof Destination.OneShard destination) {
                accepted++;
                for (LockKey below : keysBelow(top, random)) {
                    assertThat(routes.shardOf(below))
                            .as("seed %d: %s below %s", seed, below, top)
                            .isEqualTo(destination.shard());
                }
            }
        }
        assertThat(accepted).isBetween(200, 1_800);
    }

    private static List<LockKey> keysBelow(LockKey top, SplittableRandom random) {
        List<LockKey> keys = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            LockKey key = LockKey.of(top + "/" + name(random, 6));
            assertThat(key.isBelow(top)).isTrue();
            keys.add(key);
        }
        return keys;
    }

    private static String name(SplittableRandom random, int longest) {
        StringBuilder name = new StringBuilder();
        int length = random.nextInt(longest + 1);
        for (int i = 0; i < length; i++) {
            name.append("ab/{}".charAt(random.nextInt(5)));
        }
        return name.toString();
    }

    private Destination keys(String... keys) {
        return router.destinationOfKeys(List.of(keys).stream().map(LockKey::of).toList());
    }

    private Destination subtree(String key) {
        return router.destinationOf(List.of(Item.subtree(LockKey.of(key), Mode.EXCLUSIVE)));
    }

    /** Rules that came out the same by chance are kept once: what they are is not the point here. */
    private static ShardRouter router(PrefixRule... rules) {
        List<PrefixRule> distinct = new ArrayList<>();
        for (PrefixRule rule : rules) {
            String prefix = rule.prefix().startsWith("/") ? rule.prefix().substring(1) : rule.prefix();
            if (distinct.stream().noneMatch(other -> other.prefix().equals(prefix))) {
                distinct.add(new PrefixRule(prefix, rule.shard()));
            }
        }
        // Taking one slash off may leave another, which counts: such a prefix is left as it is.
        distinct.removeIf(rule -> rule.prefix().startsWith("/"));
        return new ShardRouter(ShardRouterTest.shards(4), distinct);
    }
}
