package dev.holdfast.core.shard;

import java.util.Arrays;
import java.util.Collection;

/**
 * Rendezvous hashing (highest random weight): every shard gets a score for a routing part, the highest has it.
 *
 * <p>A new shard takes exactly those parts for which it now scores highest, so nothing moves between the others;
 * a removed one leaves only its own behind. With <i>n</i> shards a look-up costs <i>n</i> mixes: a few
 * nanoseconds each, and there are tens of shards, not thousands.
 *
 * <p>The score is {@code mix(mix(fnv(part)) ^ mix(shard + GOLDEN))}, all in 64-bit arithmetic that wraps, compared
 * unsigned; of equal scores the lower shard id wins. {@code fnv} is FNV-1a over the part's UTF-8 bytes, {@code mix}
 * the finalizer of SplitMix64. <b>Both are part of the format:</b> clients and nodes of every version and language
 * must agree on them, so a change would move nearly every key.
 */
final class Rendezvous {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    /** Keeps shard 0 from being mixed to 0. */
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final ShardId[] shards;
    private final long[] salts;

    Rendezvous(Collection<ShardId> shards) {
        this.shards = shards.toArray(new ShardId[0]);
        Arrays.sort(this.shards);
        salts = new long[this.shards.length];
        for (int i = 0; i < salts.length; i++) {
            salts[i] = salt(this.shards[i]);
        }
    }

    ShardId shardOf(byte[] part) {
        long hash = hash(part);
        int best = 0;
        long bestScore = mix(hash ^ salts[0]);
        for (int i = 1; i < salts.length; i++) {
            long score = mix(hash ^ salts[i]);
            if (Long.compareUnsigned(score, bestScore) > 0) {
                best = i;
                bestScore = score;
            }
        }
        return shards[best];
    }

    static long score(byte[] part, ShardId shard) {
        return mix(hash(part) ^ salt(shard));
    }

    private static long salt(ShardId shard) {
        return mix(shard.value() + GOLDEN);
    }

    private static long hash(byte[] part) {
        long hash = FNV_OFFSET;
        for (byte b : part) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return mix(hash);
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
