/** Which shard a key belongs to: by prefix rule, else by rendezvous hashing of the key's routing part. */
@NullMarked
package dev.holdfast.core.shard;

import org.jspecify.annotations.NullMarked;
