package dev.holdfast.bench.side.run;

import dev.holdfast.bench.side.LockSystem;
import java.nio.file.Path;
import java.util.List;

/** A system, or a way of using one, as it appears in the tables. */
enum Entrant {
    HOLDFAST("Holdfast", Constants.OURS, "holdfast.HoldfastSystem", ""),
    HOLDFAST_RELEASE("Holdfast, release()", Constants.OURS, "holdfast.HoldfastSystem", "release"),
    HOLDFAST_FAST("Holdfast, fast profile", Constants.OURS, "holdfast.HoldfastSystem", "fast"),
    HOLDFAST_MILLION("Holdfast, 1,000,000 locks", Constants.OURS, "holdfast.HoldfastSystem", "1000000"),
    HOLDFAST_TEN_MILLION("Holdfast, 10,000,000 locks", Constants.OURS, "holdfast.HoldfastSystem", "10000000"),
    ETCD("etcd + jetcd", "bench/peers/etcd", "etcd.EtcdSystem", ""),
    ZOOKEEPER("ZooKeeper + Curator", "bench/peers/zookeeper", "zookeeper.ZooKeeperSystem", ""),
    HAZELCAST("Hazelcast CP", "bench/peers/hazelcast", "hazelcast.HazelcastSystem", ""),
    REDIS("Redis + Redisson", "bench/peers/redis", "redis.RedisSystem", ""),
    REDIS_FAIR("Redis + Redisson, fair lock", "bench/peers/redis", "redis.RedisSystem", "fair");

    private final String label;
    private final String module;
    private final String system;
    private final String variant;

    Entrant(String label, String module, String system, String variant) {
        this.label = label;
        this.module = module;
        this.system = LockSystem.class.getPackageName() + "." + system;
        this.variant = variant;
    }

    String label() {
        return label;
    }

    /** The name of its class. */
    String system() {
        return system;
    }

    String variant() {
        return variant;
    }

    /** Where its module has its classes, and the list of jars that it needs. */
    Path target(Path root) {
        return root.resolve(module).resolve("target");
    }

    /** What a system asks its JVMs to be started with, clients and servers. */
    List<String> flags() {
        return this == HAZELCAST ? Options.words(Constants.OPENED_FOR_HAZELCAST) : List.of();
    }

    private static final class Constants {
        static final String OURS = "bench";
        /** As its own warning at start asks for, "to get the best performance results". */
        static final String OPENED_FOR_HAZELCAST = "--add-modules java.se"
                + " --add-exports java.base/jdk.internal.ref=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED"
                + " --add-opens java.base/sun.nio.ch=ALL-UNNAMED --add-opens java.management/sun.management=ALL-UNNAMED"
                + " --add-opens jdk.management/com.sun.management.internal=ALL-UNNAMED";
    }
}
