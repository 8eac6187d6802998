package dev.holdfast.server.cluster;

import dev.holdfast.consensus.Member;
import dev.holdfast.protocol.v1.JoinRequest;
import dev.holdfast.protocol.v1.JoinResponse;
import dev.holdfast.server.peer.client.PeerClients;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a new node comes into a cluster: it knows an address, is led from there to the leader, follows the log without a
 * vote until it has caught up, and is then made a member.
 *
 * <p>The node asks again and again; the leader moves it one step further each time. So neither a change of leader nor a
 * restart of the node loses anything.
 */
public final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final int MAX_HOPS = 5;
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 200;

    private final PeerClients clients;
    private final List<String> addresses;
    private final JoinRequest request;

    /**
     * A node that wants to join.
     *
     * @param replaces the member whose place it takes, by name or id; empty for none
     */
    public Joining(PeerClients clients, List<String> addresses, Member self, String replaces) {
        this.clients = clients;
        this.addresses = List.copyOf(addresses);
        this.request = JoinRequest.newBuilder()
                .setSelf(Identities.of(self))
                .setReplaces(replaces)
                .build();
    }

    /** Finds the cluster, before the engine of this node runs. */
    public UUID find(Duration atMost) throws IOException, InterruptedException {
        return UUID.fromString(ask(false, JoinResponse.Stage.LEARNING, atMost).getCluster());
    }

    /**
     * Asks until this node is a full member. The engine runs.
     *
     * @param settled whether the engine of this node has become what it is asked to be; it does so a moment after the
     *     leader knows that it will
     */
    public void complete(Duration atMost, BooleanSupplier settled) throws IOException, InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        ask(true, JoinResponse.Stage.JOINED, atMost);
        boolean told = false;
        while (!settled.getAsBoolean()) {
            if (!told && System.nanoTime() - end > 0) {
                told = true;
                LOG.warn("this node is a member, but hears of no leader and cannot vote yet; it goes on waiting");
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private JoinResponse ask(boolean running, JoinResponse.Stage until, Duration atMost)
            throws IOException, InterruptedException {
        JoinRequest asked = request.toBuilder().setRunning(running).build();
        long end = System.nanoTime() + atMost.toNanos();
        String last = "nobody was asked";
        for (int turn = 0; System.nanoTime() - end < 0; turn++) {
            String address = addresses.get(turn % addresses.size());
            for (int hop = 0; hop < MAX_HOPS && !address.isEmpty(); hop++) {
                JoinResponse response;
                try {
                    response = clients.blocking(address, ANSWER).join(asked);
                } catch (StatusRuntimeException e) {
                    last = address + ": " + e.getStatus();
                    break;
                }
                if (response.getStage() == JoinResponse.Stage.REFUSED) {
                    throw new IOException("the cluster refuses this node: " + response.getReason());
                }
                if (response.getStage() == until || response.getStage() == JoinResponse.Stage.JOINED) {
                    return response;
                }
                last = address + ": " + response.getStage() + " " + response.getReason();
                address = response.getStage() == JoinResponse.Stage.REDIRECT ? response.getLeader() : "";
            }
            LOG.debug("joining: {}", last);
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        throw new IOException("not joined within " + atMost.toSeconds() + " s by way of " + addresses
                + "; the last answer was: " + last + ". Check cluster.join and that the cluster has a leader");
    }
}
