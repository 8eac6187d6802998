package dev.holdfast.core.shard;

/** The number of a shard: chosen once, never given to another shard, for it decides which keys the shard has. */
public record ShardId(long value) implements Comparable<ShardId> {
    @Override
    public int compareTo(ShardId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
