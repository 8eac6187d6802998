package dev.holdfast.bench.side.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.ServerProcess;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.Variant;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Three ZooKeeper servers with the settings of its sample file, which flush on a majority, and Curator's mutex. */
public final class ZooKeeperSystem implements LockSystem {
    private static final int NODES = 3;
    private static final int ANSWER_MILLIS = 2_000;

    @Override
    public String versions(Site site) {
        return "3 nodes, ZooKeeper " + Site.versionOf("zookeeper") + ", Curator " + Site.versionOf("curator-recipes");
    }

    @Override
    public Cluster start(Site site) throws Exception {
        List<Integer> ports = new ArrayList<>();
        List<String> ensemble = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            ports.add(site.freePort());
            ensemble.add("server." + (i + 1) + "=127.0.0.1:" + site.freePort() + ":" + site.freePort());
        }
        List<ServerProcess> servers = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Path configuration = configure(site.directory("n" + i), i + 1, ports.get(i), ensemble);
            servers.add(site.launch(
                    "n" + i,
                    "127.0.0.1:" + ports.get(i),
                    site.java("org.apache.zookeeper.server.quorum.QuorumPeerMain", configuration.toString())));
        }
        List<String> addresses = servers.stream().map(ServerProcess::address).toList();
        Cluster cluster = new Cluster(String.join(",", addresses), servers);
        Site.await("a node leads and the others follow", () -> {
            List<String> modes = new ArrayList<>();
            for (ServerProcess server : servers) {
                modes.add(mode(server));
            }
            return modes.contains("leader")
                    && modes.stream().filter("follower"::equals).count() == NODES - 1;
        });
        return cluster;
    }

    private static Path configure(Path directory, int number, int port, List<String> ensemble) throws IOException {
        Files.writeString(directory.resolve("myid"), Integer.toString(number));
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=2000",
                "initLimit=10",
                "syncLimit=5",
                "dataDir=" + directory,
                "clientPort=" + port,
                "clientPortAddress=127.0.0.1",
                "admin.enableServer=false",
                "4lw.commands.whitelist=srvr"));
        lines.addAll(ensemble);
        return Files.write(directory.resolve("zoo.cfg"), lines);
    }

    @Override
    public ServerProcess leader(Cluster cluster) throws Exception {
        for (ServerProcess server : cluster.servers()) {
            if (mode(server).equals("leader")) {
                return server;
            }
        }
        throw new IllegalStateException("no node says that it leads");
    }

    /** As a server answers the command {@code srvr}. */
    private static String mode(ServerProcess server) throws IOException {
        String[] address = server.address().split(":", -1);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address[0], Integer.parseInt(address[1])), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .map(line -> line.substring("Mode: ".length()))
                    .findFirst()
                    .orElse("none");
        }
    }

    @Override
    public LockClient connect(String endpoints, Variant variant) throws Exception {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(endpoints)
                .sessionTimeoutMs(Math.toIntExact(variant.ttl().toMillis()))
                .retryPolicy(new ExponentialBackoffRetry(100, 10))
                .build();
        client.start();
        client.blockUntilConnected();
        return new LockClient() {
            @Override
            public Mutex mutex(String key) {
                InterProcessMutex mutex = new InterProcessMutex(client, "/" + key);
                return new Mutex() {
                    @Override
                    public void lock() throws Exception {
                        mutex.acquire();
                    }

                    @Override
                    public void unlock() throws Exception {
                        mutex.release();
                    }
                };
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }
}
