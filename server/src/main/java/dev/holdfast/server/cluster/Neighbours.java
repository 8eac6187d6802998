package dev.holdfast.server.cluster;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Role;
import dev.holdfast.protocol.v1.PeerGrpc;
import dev.holdfast.protocol.v1.PingRequest;
import dev.holdfast.protocol.v1.PingResponse;
import dev.holdfast.server.request.Reach;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who of the cluster answers, as this node sees it: every other member is asked twice a second.
 *
 * <p>The engine knows this only on a leader; a node without one has to say how many it misses.
 */
public final class Neighbours implements Reach, AutoCloseable {
    private static final long PERIOD_MILLIS = 500;
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(3 * PERIOD_MILLIS);
    private static final int CONNECT_MILLIS = 300;

    private final NodeId self;
    private final String cluster;
    private final Supplier<List<Member>> members;
    private final Function<String, PeerGrpc.PeerFutureStub> questions;
    private final ScheduledExecutorService executor;
    private final LongSupplier nanos;
    private final Runnable removed;
    private final Map<NodeId, Long> lastSeenNanos = new ConcurrentHashMap<>();
    private final Map<NodeId, Integer> featureLevels = new ConcurrentHashMap<>();
    /** Asking the log each time an answer names the leader would cost too much. */
    private volatile List<Member> known = List.of();

    private volatile Role role = new Role.Following(0, Optional.empty());

    /**
     * Asks nobody until {@link #start}.
     *
     * @param questions the way to a member, by its client address
     * @param executor a thread that may wait for a connection; ended by {@link #close}
     * @param removed told when a leader says that this node is no member any more
     */
    public Neighbours(
            NodeId self,
            String cluster,
            Supplier<List<Member>> members,
            Function<String, PeerGrpc.PeerFutureStub> questions,
            ScheduledExecutorService executor,
            LongSupplier nanos,
            Runnable removed) {
        this.self = self;
        this.cluster = cluster;
        this.members = members;
        this.questions = questions;
        this.executor = executor;
        this.nanos = nanos;
        this.removed = removed;
    }

    public void start() {
        known = members.get();
        var unused = executor.scheduleWithFixedDelay(this::ask, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    public void roleChanged(Role changed) {
        role = changed;
    }

    public Role role() {
        return role;
    }

    @Override
    public Optional<String> leaderAddress() {
        return leader().map(Member::clientAddress).filter(address -> !address.isEmpty());
    }

    /** The leader, if it is known and another node. */
    public Optional<Member> leader() {
        if (!(role instanceof Role.Following following) || following.leader().isEmpty()) {
            return Optional.empty();
        }
        NodeId id = following.leader().get();
        if (id.equals(self)) {
            return Optional.empty();
        }
        Optional<Member> found = named(id);
        if (found.isEmpty()) {
            known = members.get();
            found = named(id);
        }
        return found;
    }

    private Optional<Member> named(NodeId id) {
        for (Member member : known) {
            if (member.id().equals(id)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    @Override
    public String describe() {
        List<Member> voters = known.stream().filter(Member::votes).toList();
        String missing = voters.stream()
                .filter(member -> !isReachable(member))
                .map(member -> member.id().name())
                .collect(Collectors.joining(", "));
        return reachable() + " of " + voters.size() + " voting nodes reachable"
                + (missing.isEmpty() ? "" : " (not: " + missing + ")");
    }

    /** How many voters answer, this node included. */
    public int reachable() {
        return (int)
                known.stream().filter(Member::votes).filter(this::isReachable).count();
    }

    /** The lowest feature level that any member is known to support; this node's own where others are silent. */
    public int lowestFeatureLevel(int own) {
        return Stream.concat(
                        Stream.of(own),
                        members.get().stream()
                                .filter(member ->
                                        member.isFull() && !member.id().equals(self))
                                .map(member -> featureLevels.getOrDefault(member.id(), 0)))
                .min(Integer::compare)
                .orElse(own);
    }

    private boolean isReachable(Member member) {
        Long seen = lastSeenNanos.get(member.id());
        return member.id().equals(self) || (seen != null && nanos.getAsLong() - seen < FRESH_NANOS);
    }

    private void ask() {
        known = members.get();
        for (Member member : known) {
            if (member.id().equals(self)) {
                continue;
            }
            if (member.clientAddress().isEmpty()) {
                knock(member);
            } else {
                ping(member);
            }
        }
    }

    private void ping(Member member) {
        PingRequest request = PingRequest.newBuilder()
                .setCluster(cluster)
                .setFrom(self.toString())
                .build();
        Futures.addCallback(
                questions.apply(member.clientAddress()).ping(request),
                new FutureCallback<>() {
                    @Override
                    public void onSuccess(@Nullable PingResponse response) {
                        if (response == null) {
                            return;
                        }
                        // Somebody else may answer at an address that was the member's once.
                        if (response.getId().equals(member.id().toString())) {
                            lastSeenNanos.put(member.id(), nanos.getAsLong());
                            featureLevels.put(member.id(), response.getSupportedFeatureLevel());
                        }
                        // One who led before this node was taken in may not know better.
                        if (response.getRemoved() && response.getTerm() >= role.term()) {
                            removed.run();
                        }
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        // Silence is what is measured here.
                    }
                },
                MoreExecutors.directExecutor());
    }

    /** A witness serves no client port; that its engine accepts a connection must do. */
    private void knock(Member member) {
        int colon = member.peerAddress().lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            member.peerAddress().substring(0, colon),
                            Integer.parseInt(member.peerAddress().substring(colon + 1))),
                    CONNECT_MILLIS);
            lastSeenNanos.put(member.id(), nanos.getAsLong());
        } catch (IOException e) {
            // Silence is what is measured here.
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
