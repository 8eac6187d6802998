package dev.holdfast.core.shard;

import dev.holdfast.core.LockKey;

/** Where a request goes: to the one shard that has all its keys, or nowhere, with the reason. */
public sealed interface Destination {
    record OneShard(ShardId shard) implements Destination {}

    /** Not one shard: a grant is one log entry, and a log entry belongs to one shard. */
    sealed interface Refused extends Destination {
        /** Why, and what the caller can do about it. */
        String message();
    }

    /** Two keys of the request that lie apart: the first, and the first one that disagrees with it. */
    record TwoShards(LockKey key, ShardId shard, LockKey otherKey, ShardId otherShard) implements Refused {
        @Override
        public String message() {
            return "keys: must be of one shard, but \"" + key + "\" is on shard " + shard + " and \"" + otherKey
                    + "\" on shard " + otherShard + "; give both the same {tag}, or a prefix rule";
        }
    }

    /** A subtree a part of which a prefix rule sends elsewhere. */
    record RuleInSubtree(LockKey subtree, ShardId shard, PrefixRule rule) implements Refused {
        @Override
        public String message() {
            return "subtree \"" + subtree + "\" is on shard " + shard + ", but the rule for the prefix \""
                    + rule.prefix() + "\" sends a part of it to shard " + rule.shard() + "; lock smaller subtrees";
        }
    }

    /** A subtree whose keys need not have one routing part: each of those below it may bring a tag of its own. */
    record OpenSubtree(LockKey subtree) implements Refused {
        @Override
        public String message() {
            return "subtree \"" + subtree + "\" may have tagged keys on other shards; only a subtree whose own key"
                    + " has a {tag}, or that a prefix rule covers, is on one shard for certain";
        }
    }
}
