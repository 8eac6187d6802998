package dev.holdfast.consensus.ratis.wire;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerReplyProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.util.IOUtils;
import org.apache.ratis.util.NetUtils;
import org.jspecify.annotations.Nullable;

/** The engine's way to the other members, and theirs to it. */
public final class SocketRpc implements RaftServerRpc {
    /** Far above what a flush takes on a sound disk; a member that is cut off is given up after this. */
    private static final long LONGEST_CALL_MILLIS = 3000;

    private static final long LOOK_MILLIS = 500;

    private final RpcType type;
    private final String name;
    private final InetSocketAddress at;
    private final PeerSockets sockets;
    private final PeerService service;
    private final Map<RaftPeerId, Peer> peers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService time;
    private volatile @Nullable PeerPort port;
    private volatile boolean closed;

    /**
     * Not listening yet.
     *
     * @param name of this member, for its threads
     * @param at where to listen
     */
    public SocketRpc(RpcType type, String name, InetSocketAddress at, PeerSockets sockets, PeerService service) {
        this.type = type;
        this.name = name;
        this.at = at;
        this.sockets = sockets;
        this.service = service;
        this.time = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name + "-calls");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A member, and the connection to it once one was needed. */
    private final class Peer {
        private final RaftPeer peer;
        private volatile @Nullable PeerLink link;

        Peer(RaftPeer peer) {
            this.peer = peer;
        }

        @Nullable
        PeerLink connected() {
            PeerLink current = link;
            return current == null || current.isClosed() ? null : current;
        }

        PeerLink connect() throws IOException {
            PeerLink current = connected();
            return current == null ? connectAnew() : current;
        }

        private synchronized PeerLink connectAnew() throws IOException {
            PeerLink current = connected();
            if (current == null) {
                if (closed) {
                    throw new IOException("this member is closing");
                }
                PeerSockets.Opened opened = sockets.connect(NetUtils.createSocketAddr(peer.getAddress(), -1));
                try {
                    service.recognize(opened.shown(), peer.getId());
                } catch (IOException e) {
                    opened.carrier().close();
                    throw e;
                }
                current = new PeerLink(opened, name + "-to-" + peer.getId());
                link = current;
                if (closed) {
                    current.close();
                }
            }
            return current;
        }

        void disconnect() {
            PeerLink current = link;
            if (current != null) {
                current.close();
            }
        }
    }

    @Override
    public void start() throws IOException {
        port = new PeerPort(name, at, sockets, service);
        ScheduledFuture<?> unused =
                time.scheduleWithFixedDelay(this::endOldCalls, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void endOldCalls() {
        for (Peer peer : peers.values()) {
            PeerLink link = peer.connected();
            if (link != null) {
                link.endIfOlder(TimeUnit.MILLISECONDS.toNanos(LONGEST_CALL_MILLIS));
            }
        }
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
        PeerPort open = port;
        return open == null ? at : open.address();
    }

    @Override
    public RpcType getRpcType() {
        return type;
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> added) {
        added.forEach(peer -> peers.computeIfAbsent(peer.getId(), id -> new Peer(peer)));
    }

    @Override
    public void handleException(RaftPeerId id, Exception e, boolean reconnect) {
        Peer peer = peers.get(id);
        if (peer != null && (reconnect || IOUtils.shouldReconnect(e))) {
            peer.disconnect();
        }
    }

    /**
     * Sends entries from the calling thread, which does not wait: neither for the answer, nor for a connection, nor for
     * room in it.
     *
     * @return the answer to come; empty if it cannot be done like that
     */
    public Optional<CompletableFuture<AppendEntriesReplyProto>> appendAtOnce(AppendEntriesRequestProto request) {
        Peer peer = peers.get(RaftPeerId.valueOf(request.getServerRequest().getReplyId()));
        PeerLink link = peer == null ? null : peer.connected();
        if (link == null || request.getSerializedSize() > PeerLink.WRITTEN_AT_ONCE) {
            return Optional.empty();
        }
        return Optional.of(link.ask(wrap(request)).thenApply(RaftNettyServerReplyProto::getAppendEntriesReply));
    }

    private static RaftNettyServerRequestProto wrap(AppendEntriesRequestProto request) {
        return RaftNettyServerRequestProto.newBuilder()
                .setAppendEntriesRequest(request)
                .build();
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        return ask(request.getServerRequest(), wrap(request)).getAppendEntriesReply();
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        service.campaign(request);
        RaftNettyServerRequestProto.Builder wrapped = RaftNettyServerRequestProto.newBuilder();
        return ask(
                        request.getServerRequest(),
                        wrapped.setRequestVoteRequest(request).build())
                .getRequestVoteReply();
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        RaftNettyServerRequestProto.Builder wrapped = RaftNettyServerRequestProto.newBuilder();
        return ask(
                        request.getServerRequest(),
                        wrapped.setInstallSnapshotRequest(request).build())
                .getInstallSnapshotReply();
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
            throws IOException {
        RaftNettyServerRequestProto.Builder wrapped = RaftNettyServerRequestProto.newBuilder();
        return ask(
                        request.getServerRequest(),
                        wrapped.setStartLeaderElectionRequest(request).build())
                .getStartLeaderElectionReply();
    }

    private RaftNettyServerReplyProto ask(RaftRpcRequestProto head, RaftNettyServerRequestProto request)
            throws IOException {
        RaftPeerId id = RaftPeerId.valueOf(head.getReplyId());
        Peer peer = peers.get(id);
        if (peer == null) {
            throw new IOException("no member is known as " + id);
        }
        try {
            return peer.connect().ask(request).get();
        } catch (ExecutionException e) {
            throw IOUtils.toIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("while " + id + " was asked");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        time.shutdownNow();
        peers.values().forEach(Peer::disconnect);
        PeerPort open = port;
        if (open != null) {
            open.close();
        }
    }
}
