package dev.holdfast.core.shard;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The prefix rules, by the bytes of their prefixes. Nothing changes after construction: any thread may ask. */
final class PrefixRules {
    private final TreeMap<byte[], ShardId> shards = new TreeMap<>(Arrays::compareUnsigned);

    PrefixRules(Collection<PrefixRule> rules) {
        for (PrefixRule rule : rules) {
            byte[] prefix = RoutingPart.withoutLeadingSlash(rule.prefix().getBytes(StandardCharsets.UTF_8));
            ShardId other = shards.put(prefix, rule.shard());
            if (other != null) {
                throw new IllegalArgumentException("prefix rules: \"" + rule.prefix() + "\" is given twice, for shard "
                        + other + " and for shard " + rule.shard());
            }
        }
    }

    /** The shard of the longest rule that covers {@code path}, or null. */
    @Nullable
    ShardId longestFor(byte[] path) {
        byte[] candidate = path;
        while (true) {
            Map.Entry<byte[], ShardId> floor = shards.floorEntry(candidate);
            if (floor == null) {
                return null;
            }
            byte[] prefix = floor.getKey();
            int common = commonLength(prefix, candidate);
            if (common == prefix.length) {
                return floor.getValue();
            }
            // In byte order all that begins with a prefix lies together: a rule below this one that covers the
            // path also covers this one's prefix, so it is no longer than what the two have in common.
            candidate = Arrays.copyOf(candidate, common);
        }
    }

    /** A rule for some path that begins with {@code start} and goes to another shard than {@code shard}, or null. */
    @Nullable
    PrefixRule firstElsewhereBelow(byte[] start, ShardId shard) {
        for (Map.Entry<byte[], ShardId> rule : shards.tailMap(start, true).entrySet()) {
            if (commonLength(rule.getKey(), start) < start.length) {
                return null;
            }
            if (!rule.getValue().equals(shard)) {
                return new PrefixRule(new String(rule.getKey(), StandardCharsets.UTF_8), rule.getValue());
            }
        }
        return null;
    }

    private static int commonLength(byte[] one, byte[] other) {
        int mismatch = Arrays.mismatch(one, other);
        return mismatch < 0 ? one.length : mismatch;
    }
}
