package dev.holdfast.bench.side.hazelcast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.cp.CPSubsystemConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.CPGroup;
import com.hazelcast.cp.CPSubsystem;
import com.hazelcast.cp.internal.RaftService;
import com.hazelcast.cp.internal.raft.impl.RaftNode;
import com.hazelcast.cp.lock.FencedLock;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A member of a cluster with the CP subsystem: {@code PORT QUESTIONS-PORT MEMBERS TTL-SECONDS}. */
public final class HazelcastMember {
    private static final int CP_MEMBERS = 3;

    private HazelcastMember() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        int questions = Integer.parseInt(arguments[1]);
        List<String> members = List.of(arguments[2].split(",", -1));
        int ttlSeconds = Integer.parseInt(arguments[3]);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config(port, members, ttlSeconds));
        CPSubsystem consensus = member.getCPSubsystem();
        if (!consensus.getCPSubsystemManagementService().awaitUntilDiscoveryCompleted(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the CP members did not find each other in 2 min");
        }
        // The group of all locks begins with the first one.
        FencedLock unused = consensus.getLock("first");
        answer(member, questions);
    }

    private static Config config(int port, List<String> members, int ttlSeconds) {
        Config config = new Config();
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "none");
        NetworkConfig network = config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).setMembers(members);
        CPSubsystemConfig consensus = config.getCPSubsystemConfig();
        consensus
                .setCPMemberCount(CP_MEMBERS)
                .setGroupSize(CP_MEMBERS)
                .setSessionTimeToLiveSeconds(ttlSeconds)
                .setSessionHeartbeatIntervalSeconds(Math.max(1, ttlSeconds / 4));
        return config;
    }

    /** Says {@code true} over HTTP while this member leads the group that locks are in; errors mean that it is not ready. */
    private static void answer(HazelcastInstance member, int port) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/leads", exchange -> {
            byte[] body = new byte[0];
            int status = 200;
            try {
                body = Boolean.toString(leads(member)).getBytes(US_ASCII);
            } catch (Exception e) {
                status = 503;
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** There is no public way to ask who leads. */
    private static boolean leads(HazelcastInstance member) throws Exception {
        CPGroup group = member.getCPSubsystem()
                .getCPSubsystemManagementService()
                .getCPGroup(CPGroup.DEFAULT_GROUP_NAME)
                .toCompletableFuture()
                .get();
        RaftService service = ((HazelcastInstanceProxy) member)
                .getOriginal()
                .node
                .getNodeEngine()
                .getService(RaftService.SERVICE_NAME);
        RaftNode node = service.getRaftNode(group.id());
        return node.getLocalMember().equals(node.getLeader());
    }
}
