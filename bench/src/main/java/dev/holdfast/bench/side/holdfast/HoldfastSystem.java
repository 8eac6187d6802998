package dev.holdfast.bench.side.holdfast;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.ServerProcess;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.Variant;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Three {@code holdfast server} processes that flush on a majority, and the Java client. */
public final class HoldfastSystem implements LockSystem {
    private static final int NODES = 3;
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER).build();

    public HoldfastSystem() {
        // Without it the log writes every detail that the libraries tell, which costs more than a lock.
        Logging.errorsOnly();
    }

    @Override
    public String versions(Site site) {
        String profile = site.variant().is("fast") ? "election profile fast" : "default settings";
        return "this checkout, 3 nodes, " + profile;
    }

    @Override
    public Cluster start(Site site) throws Exception {
        List<String> clientAddresses = new ArrayList<>();
        List<String> peerAddresses = new ArrayList<>();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            clientAddresses.add(site.freeAddress());
            peerAddresses.add(site.freeAddress());
            members.add("n" + i + "=" + clientAddresses.get(i) + "/" + peerAddresses.get(i));
        }
        List<ServerProcess> servers = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            List<String> command = site.java(
                    "dev.holdfast.cli.Holdfast",
                    "server",
                    "--node-name=n" + i,
                    "--data-dir=" + site.directory("n" + i),
                    "--client-address=" + clientAddresses.get(i),
                    "--peer-address=" + peerAddresses.get(i),
                    "--cluster-members=" + String.join(", ", members));
            if (site.variant().is("fast")) {
                command.add("--election-profile=fast");
            }
            servers.add(site.launch("n" + i, clientAddresses.get(i), command));
        }
        Cluster cluster = new Cluster(String.join(",", clientAddresses), servers);
        Site.await("all nodes are ready", () -> servers.stream().allMatch(this::isReady));
        return cluster;
    }

    /** Whether a node serves. */
    boolean isReady(ServerProcess server) {
        try {
            return get(server, "/readyz").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public ServerProcess leader(Cluster cluster) throws Exception {
        for (ServerProcess server : cluster.servers()) {
            if (get(server, "/metrics").body().lines().anyMatch(line -> line.startsWith("holdfast_leader 1"))) {
                return server;
            }
        }
        throw new IllegalStateException("no node says that it leads");
    }

    private HttpResponse<String> get(ServerProcess server, String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
                .timeout(ANSWER)
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public LockClient connect(String endpoints, Variant variant) {
        HoldfastClient client =
                HoldfastClient.builder(endpoints).sessionTtl(variant.ttl()).build();
        boolean awaitsRelease = variant.is("release");
        return new LockClient() {
            @Override
            public Mutex mutex(String key) {
                return new GrantMutex(client, key, awaitsRelease);
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    /** Unlocks as most programs do, by closing the grant, or waits for the answer. */
    private static final class GrantMutex implements LockClient.Mutex {
        private final HoldfastClient client;
        private final String key;
        private final boolean awaitsRelease;
        private @Nullable Grant held;

        GrantMutex(HoldfastClient client, String key, boolean awaitsRelease) {
            this.client = client;
            this.key = key;
            this.awaitsRelease = awaitsRelease;
        }

        @Override
        public void lock() throws InterruptedException {
            held = client.lock(key).acquire();
        }

        @Override
        public void unlock() throws InterruptedException {
            Grant grant = held;
            if (grant == null) {
                throw new IllegalStateException(key + " is not held");
            }
            held = null;
            if (awaitsRelease) {
                var unused = grant.release();
            } else {
                grant.close();
            }
        }
    }
}
