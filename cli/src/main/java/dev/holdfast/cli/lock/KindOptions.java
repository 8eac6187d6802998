package dev.holdfast.cli.lock;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.LockCall;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.Mode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a lock is requested: exclusive by default. One option group, because only one of them can be given. */
final class KindOptions {
    @Option(
            names = {"-s", "--shared"},
            description = "take it shared: others may hold it shared at the same time")
    private boolean shared;

    @Option(
            names = {"-n", "--permits"},
            paramLabel = "N",
            description = "take one of N permits: up to N may hold it at a time. Everybody must give the same N while "
                    + "it is in use")
    private int permits;

    @Option(names = "--subtree", description = "take the key and every key below it: a, a/b, a/b/c")
    private boolean subtree;

    static LockCall of(@Nullable KindOptions options, HoldfastClient client, String key) {
        if (options == null) {
            return client.lock(key);
        }
        if (options.shared) {
            return client.lock(key).shared();
        }
        return options.subtree ? client.lock(key).subtree() : client.semaphore(key, options.permits);
    }

    static Item item(@Nullable KindOptions options, String key) {
        Item.Builder item = Item.newBuilder().setKey(key);
        if (options == null) {
            return item.build();
        }
        if (options.shared) {
            return item.setMode(Mode.SHARED).build();
        }
        return options.subtree
                ? item.setKind(Kind.SUBTREE).build()
                : item.setKind(Kind.PERMITS)
                        .setCapacity(options.permits)
                        .setCount(1)
                        .build();
    }
}
