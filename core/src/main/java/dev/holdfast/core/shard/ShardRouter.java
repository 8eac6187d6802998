package dev.holdfast.core.shard;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Says which shard a key belongs to: that of the longest prefix rule that covers it, else the one that scores
 * highest for its routing part (its {@code {tag}}, or its first path segment).
 *
 * <p>So keys with one tag stay together, and so do untagged keys with one first segment. A subtree lock conflicts
 * with every key below it, and a conflict is only seen on one shard: hence the subtree of {@code a} is refused
 * where {@code a/{x}/1} could be elsewhere ({@link Destination.OpenSubtree}). Where {@link #destinationOf} answers
 * a shard for a subtree, every key in it, whatever its name, is routed to that shard.
 *
 * <p>Immutable, and a function of its arguments alone: every node and every client comes to the same answer,
 * whatever the order in which they list shards and rules.
 */
public final class ShardRouter {
    private final TreeSet<ShardId> shards;
    private final PrefixRules rules;
    private final Rendezvous rendezvous;

    /** @param rules may name only {@code shards}; a shard with rules takes its share of the other keys too */
    public ShardRouter(Collection<ShardId> shards, Collection<PrefixRule> rules) {
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("shards: must be at least one");
        }
        this.shards = new TreeSet<>(shards);
        for (PrefixRule rule : rules) {
            if (!this.shards.contains(rule.shard())) {
                throw new IllegalArgumentException("prefix rules: \"" + rule.prefix() + "\" names shard " + rule.shard()
                        + ", there are only " + this.shards);
            }
        }
        this.rules = new PrefixRules(rules);
        this.rendezvous = new Rendezvous(this.shards);
    }

    public ShardId shardOf(LockKey key) {
        byte[] path = RoutingPart.withoutLeadingSlash(key.utf8());
        ShardId ruled = rules.longestFor(path);
        return ruled != null ? ruled : rendezvous.shardOf(RoutingPart.of(path));
    }

    /** The one shard of all that a request asks for. */
    public Destination destinationOf(List<Item> items) {
        List<LockKey> keys = new ArrayList<>(items.size());
        for (Item item : items) {
            Destination.Refused refused = item.kind() == Kind.SUBTREE ? refusalOfSubtree(item.key()) : null;
            if (refused != null) {
                return refused;
            }
            keys.add(item.key());
        }
        return destinationOfKeys(keys);
    }

    /** The one shard of these keys, in their order: where they disagree, the first two that do are named. */
    public Destination destinationOfKeys(Collection<LockKey> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("keys: must be at least one");
        }
        LockKey first = keys.iterator().next();
        ShardId shard = shardOf(first);
        for (LockKey key : keys) {
            ShardId other = shardOf(key);
            if (!other.equals(shard)) {
                return new Destination.TwoShards(first, shard, key, other);
            }
        }
        return new Destination.OneShard(shard);
    }

    private Destination.@Nullable Refused refusalOfSubtree(LockKey key) {
        if (shards.size() == 1) {
            return null;
        }
        byte[] path = RoutingPart.withoutLeadingSlash(key.utf8());
        ShardId shard = shardOf(key);
        PrefixRule elsewhere = rules.firstElsewhereBelow(RoutingPart.startOfKeysBelow(path), shard);
        if (elsewhere != null) {
            return new Destination.RuleInSubtree(key, shard, elsewhere);
        }
        boolean together = rules.longestFor(path) != null || RoutingPart.isSharedBelow(path);
        return together ? null : new Destination.OpenSubtree(key);
    }
}
