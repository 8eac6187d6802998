package dev.holdfast.bench.side.hazelcast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.lock.FencedLock;
import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.ServerProcess;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.Variant;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Three Hazelcast members whose CP subsystem keeps locks in memory alone, and a client. */
public final class HazelcastSystem implements LockSystem {
    private static final int NODES = 3;

    private final Map<ServerProcess, Integer> questions = new HashMap<>();

    @Override
    public String versions(Site site) {
        return "3 members, Hazelcast " + Site.versionOf("hazelcast") + ", CP group of 3, in memory";
    }

    @Override
    public Cluster start(Site site) throws Exception {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            ports.add(site.freePort());
        }
        List<String> addresses = ports.stream().map(port -> "127.0.0.1:" + port).toList();
        String members = String.join(",", addresses);
        List<ServerProcess> servers = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            int questionPort = site.freePort();
            List<String> command = site.java(
                    HazelcastMember.class.getName(),
                    ports.get(i).toString(),
                    Integer.toString(questionPort),
                    members,
                    Long.toString(site.variant().ttl().toSeconds()));
            ServerProcess server = site.launch("n" + i, addresses.get(i), command);
            questions.put(server, questionPort);
            servers.add(server);
        }
        Cluster cluster = new Cluster(members, servers);
        Site.await("all members answer", () -> {
            for (ServerProcess server : servers) {
                boolean unused = leadsNow(server);
            }
            return true;
        });
        return cluster;
    }

    @Override
    public ServerProcess leader(Cluster cluster) throws Exception {
        for (ServerProcess server : cluster.servers()) {
            if (leadsNow(server)) {
                return server;
            }
        }
        throw new IllegalStateException("no member says that it leads");
    }

    private boolean leadsNow(ServerProcess server) throws IOException {
        URI question = URI.create("http://127.0.0.1:" + questions.get(server) + "/leads");
        try (var answer = question.toURL().openStream()) {
            return Boolean.parseBoolean(new String(answer.readAllBytes(), US_ASCII));
        }
    }

    @Override
    public LockClient connect(String endpoints, Variant variant) {
        ClientConfig config = new ClientConfig();
        config.setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().addAddress(endpoints.split(",", -1));
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        return new LockClient() {
            @Override
            public Mutex mutex(String key) {
                FencedLock lock = client.getCPSubsystem().getLock(key);
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
