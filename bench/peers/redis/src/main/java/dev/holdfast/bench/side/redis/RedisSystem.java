package dev.holdfast.bench.side.redis;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.ServerProcess;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.Variant;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** One Redis process that writes nothing to disk, and Redisson's lock: no consensus, no durability. */
public final class RedisSystem implements LockSystem {
    @Override
    public String versions(Site site) throws Exception {
        // Such as "Redis server v=7.0.15 sha=…".
        String version = Site.firstLine("redis-server", "--version").replaceAll(".* v=(\\S+).*", "$1");
        return "1 node, no fsync, Redis " + version + ", Redisson " + Site.versionOf("redisson");
    }

    @Override
    public Cluster start(Site site) throws Exception {
        int port = site.freePort();
        String address = "redis://127.0.0.1:" + port;
        List<String> command = List.of(
                "redis-server",
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                site.directory("n0").toString());
        Cluster cluster = new Cluster(address, List.of(site.launch("n0", address, command)));
        Site.await("Redis answers", () -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
        return cluster;
    }

    @Override
    public ServerProcess leader(Cluster cluster) {
        return cluster.servers().get(0);
    }

    @Override
    public LockClient connect(String endpoints, Variant variant) {
        Config config = new Config().setLockWatchdogTimeout(variant.ttl().toMillis());
        config.useSingleServer().setAddress(endpoints);
        RedissonClient client = Redisson.create(config);
        boolean fair = variant.is("fair");
        return new LockClient() {
            @Override
            public Mutex mutex(String key) {
                RLock lock = fair ? client.getFairLock(key) : client.getLock(key);
                return new Mutex() {
                    @Override
                    public void lock() {
                        lock.lock();
                    }

                    @Override
                    public void unlock() {
                        lock.unlock();
                    }
                };
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }
}
