package dev.holdfast.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.LockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What moves when the number of shards changes. */
class RebalancingTest {
    private static final List<LockKey> KEYS = IntStream.range(0, 100_000)
            .mapToObj(i -> LockKey.of("/order-" + i + "/lock"))
            .toList();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 20})
    void new_shard_takes_its_share_and_nothing_moves_between_the_others(int before) {
        ShardRouter old = router(ShardRouterTest.shards(before));
        ShardRouter grown = router(ShardRouterTest.shards(before + 1));
        ShardId added = new ShardId(before + 1);

        List<LockKey> moved = moved(old, grown);

        assertThat(moved).allSatisfy(key -> assertThat(grown.shardOf(key)).isEqualTo(added));
        assertThat((double) moved.size() * (before + 1) / KEYS.size()).isBetween(0.95, 1.05);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4, 8})
    void removed_shard_leaves_only_its_own_keys_behind(long gone) {
        List<ShardId> shards = ShardRouterTest.shards(8);
        ShardRouter old = router(shards);
        List<ShardId> remaining = new ArrayList<>(shards);
        remaining.remove(new ShardId(gone));

        List<LockKey> moved = moved(old, router(remaining));

        assertThat(moved)
                .isEqualTo(KEYS.stream()
                        .filter(key -> old.shardOf(key).value() == gone)
                        .toList());
    }

    @Test
    void eight_shards_have_equal_shares_within_ten_percent() {
        ShardRouter router = router(ShardRouterTest.shards(8));

        Map<ShardId, Long> shares =
                KEYS.stream().collect(Collectors.groupingBy(router::shardOf, Collectors.counting()));

        assertThat(shares).hasSize(8);
        assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(11_250L, 13_750L));
    }

    /** The seed's sharding (003): {@code hash(resourceId) % numShards}, "rehash only 1/N keys". */
    @Test
    void seed_modulo_moves_nearly_all_keys_rendezvous_only_its_share() {
        long byModulo = countMoved(key -> modulo(key, 8), key -> modulo(key, 9));
        ShardRouter eight = router(ShardRouterTest.shards(8));
        ShardRouter nine = router(ShardRouterTest.shards(9));
        long byRendezvous = countMoved(eight::shardOf, nine::shardOf);

        // A key stays only where its remainders by 8 and by 9 are the same: 8 of every 72 hashes.
        assertThat(byModulo).isBetween(87_000L, 91_000L);
        assertThat(byRendezvous).isBetween(10_500L, 11_700L);
    }

    private static long modulo(LockKey key, int shards) {
        // A good hash, so that what is shown is the fault of the remainder and not of the hash.
        return Long.remainderUnsigned(Rendezvous.score(key.utf8(), new ShardId(0)), shards);
    }

    private static List<LockKey> moved(ShardRouter from, ShardRouter to) {
        return KEYS.stream()
                .filter(key -> !from.shardOf(key).equals(to.shardOf(key)))
                .toList();
    }

    private static long countMoved(Function<LockKey, Object> from, Function<LockKey, Object> to) {
        return KEYS.stream()
                .filter(key -> !from.apply(key).equals(to.apply(key)))
                .count();
    }

    private static ShardRouter router(List<ShardId> shards) {
        return new ShardRouter(shards, List.of());
    }
}
