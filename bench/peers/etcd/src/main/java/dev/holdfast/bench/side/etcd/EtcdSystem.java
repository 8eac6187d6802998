package dev.holdfast.bench.side.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.bench.side.Cluster;
import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.ServerProcess;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.Variant;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Three etcd processes with their defaults, which flush on a majority, and jetcd. */
public final class EtcdSystem implements LockSystem {
    private static final int NODES = 3;

    @Override
    public String versions(Site site) throws Exception {
        return "3 nodes, " + Site.firstLine("etcd", "--version") + ", jetcd " + Site.versionOf("jetcd-core");
    }

    @Override
    public Cluster start(Site site) throws Exception {
        List<String> clientUrls = new ArrayList<>();
        List<String> peerUrls = new ArrayList<>();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            clientUrls.add("http://" + site.freeAddress());
            peerUrls.add("http://" + site.freeAddress());
            members.add("n" + i + "=" + peerUrls.get(i));
        }
        List<ServerProcess> servers = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            servers.add(site.launch(
                    "n" + i,
                    clientUrls.get(i),
                    List.of(
                            "etcd",
                            "--name=n" + i,
                            "--data-dir=" + site.directory("n" + i),
                            "--listen-client-urls=" + clientUrls.get(i),
                            "--advertise-client-urls=" + clientUrls.get(i),
                            "--listen-peer-urls=" + peerUrls.get(i),
                            "--initial-advertise-peer-urls=" + peerUrls.get(i),
                            "--initial-cluster=" + String.join(",", members),
                            "--logger=zap",
                            "--log-level=warn")));
        }
        Cluster cluster = new Cluster(String.join(",", clientUrls), servers);
        Site.await("a node leads", () -> leader(cluster).isAlive());
        return cluster;
    }

    @Override
    public ServerProcess leader(Cluster cluster) throws Exception {
        try (Client client = client(cluster.endpoints())) {
            for (ServerProcess server : cluster.servers()) {
                StatusResponse status = client.getMaintenanceClient()
                        .statusMember(server.address())
                        .get(2, TimeUnit.SECONDS);
                if (status.getLeader() == status.getHeader().getMemberId()) {
                    return server;
                }
            }
        }
        throw new IllegalStateException("no node says that it leads");
    }

    @Override
    public LockClient connect(String endpoints, Variant variant) {
        Client client = client(endpoints);
        return new LockClient() {
            private final List<CloseableClient> renewals = new ArrayList<>();

            /** With a lease of its own: a second lock under one lease counts as the same one. */
            @Override
            public Mutex mutex(String key) throws Exception {
                long lease = client.getLeaseClient()
                        .grant(variant.ttl().toSeconds())
                        .get()
                        .getID();
                renewals.add(client.getLeaseClient()
                        .keepAlive(lease, Observers.<LeaseKeepAliveResponse>observer(renewed -> {})));
                return new LeaseMutex(client, ByteSequence.from(key, UTF_8), lease);
            }

            @Override
            public void close() {
                renewals.forEach(CloseableClient::close);
                client.close();
            }
        };
    }

    private static Client client(String endpoints) {
        return Client.builder().endpoints(endpoints.split(",", -1)).build();
    }

    private static final class LeaseMutex implements LockClient.Mutex {
        private final Client client;
        private final ByteSequence key;
        private final long lease;
        private ByteSequence held = ByteSequence.EMPTY;

        LeaseMutex(Client client, ByteSequence key, long lease) {
            this.client = client;
            this.key = key;
            this.lease = lease;
        }

        @Override
        public void lock() throws Exception {
            held = client.getLockClient().lock(key, lease).get().getKey();
        }

        @Override
        public void unlock() throws Exception {
            var unused = client.getLockClient().unlock(held).get();
        }
    }
}
