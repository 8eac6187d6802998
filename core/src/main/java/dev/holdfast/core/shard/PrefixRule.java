package dev.holdfast.core.shard;

/**
 * Sends every key that begins with {@code prefix} to one shard.
 *
 * <p>A prefix of characters, not of path segments: {@code order:} covers {@code order:42}, and {@code locks/db}
 * covers {@code locks/dbx} too. As in keys, one leading slash does not count; the empty prefix covers every key.
 */
public record PrefixRule(String prefix, ShardId shard) {}
