package dev.holdfast.server.peer;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.consensus.Role;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AnnounceRequest;
import dev.holdfast.protocol.v1.AnnounceResponse;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.FetchSnapshotChunk;
import dev.holdfast.protocol.v1.FetchSnapshotRequest;
import dev.holdfast.protocol.v1.ForwardFrame;
import dev.holdfast.protocol.v1.ForwardReplyFrame;
import dev.holdfast.protocol.v1.JoinRequest;
import dev.holdfast.protocol.v1.JoinResponse;
import dev.holdfast.protocol.v1.PeerGrpc;
import dev.holdfast.protocol.v1.PingRequest;
import dev.holdfast.protocol.v1.PingResponse;
import dev.holdfast.server.cluster.Identities;
import dev.holdfast.server.cluster.Neighbours;
import dev.holdfast.server.forward.ForwardReceiver;
import dev.holdfast.server.node.NodeCore;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers other nodes. */
public final class PeerEdge extends PeerGrpc.PeerImplBase {
    private static final int CHUNK_BYTES = 256 * 1024;
    private static final long READY_NANOS = 1_000_000;

    private final Function<AnnounceRequest, AnnounceResponse> announcements;
    private final Supplier<Optional<String>> certified;
    private final @Nullable NodeCore started;

    /** An edge of a node that has no log yet: it only answers announcements. */
    public PeerEdge(Function<AnnounceRequest, AnnounceResponse> announcements, Supplier<Optional<String>> certified) {
        this.announcements = announcements;
        this.certified = certified;
        this.started = null;
    }

    /**
     * An edge of a node.
     *
     * @param certified the name of the member that makes the call, where members show certificates
     */
    public PeerEdge(
            NodeCore node,
            Function<AnnounceRequest, AnnounceResponse> announcements,
            Supplier<Optional<String>> certified) {
        this.announcements = announcements;
        this.certified = certified;
        this.started = node;
    }

    @Override
    public void announce(AnnounceRequest request, StreamObserver<AnnounceResponse> out) {
        if (speaksForAnother(request.getSelf().getId(), out)) {
            return;
        }
        out.onNext(announcements.apply(request));
        out.onCompleted();
    }

    @Override
    public void ping(PingRequest request, StreamObserver<PingResponse> out) {
        NodeCore node = running(request.getCluster(), out);
        if (node == null || speaksForAnother(request.getFrom(), out)) {
            return;
        }
        Neighbours neighbours = node.neighbours();
        Role role = neighbours.role();
        List<String> members =
                node.members().stream().map(member -> member.id().toString()).toList();
        out.onNext(PingResponse.newBuilder()
                .setId(node.self().id().toString())
                .setLeader(neighbours.leaderAddress().orElse(""))
                .setTerm(role.term())
                .setAppliedIndex(node.replica().appliedIndex())
                .setSupportedFeatureLevel(NodeCore.FEATURE_LEVEL)
                .setRemoved(role instanceof Role.Leading && !members.contains(request.getFrom()))
                .build());
        out.onCompleted();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are answered
    public void join(JoinRequest request, StreamObserver<JoinResponse> out) {
        NodeCore node = running("", out);
        if (node == null || speaksForAnother(request.getSelf().getId(), out)) {
            return;
        }
        Neighbours neighbours = node.neighbours();
        if (!(neighbours.role() instanceof Role.Leading)) {
            reply(
                    out,
                    node,
                    JoinResponse.newBuilder()
                            .setStage(JoinResponse.Stage.REDIRECT)
                            .setReason(
                                    neighbours.leader().isPresent()
                                            ? ""
                                            : "no leader is known: " + neighbours.describe()));
            return;
        }
        node.changes()
                .join(Identities.member(request.getSelf()), request.getReplaces(), request.getRunning())
                .whenComplete((response, failure) -> reply(
                        out,
                        node,
                        failure == null
                                ? response.toBuilder()
                                : JoinResponse.newBuilder()
                                        .setStage(JoinResponse.Stage.REFUSED)
                                        .setReason(String.valueOf(failure.getMessage()))));
    }

    private static void reply(StreamObserver<JoinResponse> out, NodeCore node, JoinResponse.Builder response) {
        out.onNext(response.setCluster(node.cluster())
                .setLeader(node.neighbours().leaderAddress().orElse(""))
                .setTerm(node.neighbours().role().term())
                .addAllMembers(Identities.of(node.members()))
                .build());
        out.onCompleted();
    }

    @Override
    public StreamObserver<ForwardFrame> forward(StreamObserver<ForwardReplyFrame> out) {
        NodeCore node = running("", out);
        Optional<String> shown = certified.get();
        if (node == null || isNoMember(node, shown, false, out)) {
            return new Deaf();
        }
        // Asked with each frame: the stream may outlive the membership.
        BooleanSupplier member = () -> shown.map(node::isMember).orElse(true);
        return new ForwardReceiver(node.local(), node.cluster(), member, out, node.streams());
    }

    /** Takes what still arrives on a stream that was refused. */
    private static final class Deaf implements StreamObserver<ForwardFrame> {
        @Override
        public void onNext(ForwardFrame frame) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }

    @Override
    public void fetchSnapshot(FetchSnapshotRequest request, StreamObserver<FetchSnapshotChunk> out) {
        NodeCore node = running(request.getCluster(), out);
        if (node == null || isNoMember(node, certified.get(), true, out)) {
            return;
        }
        Optional<SnapshotFile> latest =
                node.log().latestSnapshot().filter(file -> file.index() >= request.getLowestIndex());
        if (latest.isEmpty()) {
            out.onError(Errors.toException(Errors.of(
                    Code.NOT_FOUND, "lowest_index", "no snapshot here reaches entry " + request.getLowestIndex())));
            return;
        }
        ServiceRequestContext.current()
                .blockingTaskExecutor()
                .execute(() -> send(latest.get(), (ServerCallStreamObserver<FetchSnapshotChunk>) out));
    }

    private static void send(SnapshotFile snapshot, ServerCallStreamObserver<FetchSnapshotChunk> out) {
        try (InputStream in = Files.newInputStream(snapshot.path())) {
            out.onNext(FetchSnapshotChunk.newBuilder()
                    .setTerm(snapshot.term())
                    .setIndex(snapshot.index())
                    .setSize(Files.size(snapshot.path()))
                    .build());
            byte[] chunk = in.readNBytes(CHUNK_BYTES);
            while (chunk.length > 0 && !out.isCancelled()) {
                if (out.isReady()) {
                    out.onNext(FetchSnapshotChunk.newBuilder()
                            .setData(ByteString.copyFrom(chunk))
                            .build());
                    chunk = in.readNBytes(CHUNK_BYTES);
                } else {
                    LockSupport.parkNanos(READY_NANOS); // the other side is slower than the disk
                }
            }
            out.onCompleted();
        } catch (IOException e) {
            // A newer snapshot may have taken its place: the caller asks again.
            out.onError(Errors.toException(
                    Errors.of(Code.UNAVAILABLE, "snapshot", "cannot read " + snapshot.path() + ": " + e)));
        }
    }

    /** Whether the one who asks in the name of this node has shown the certificate of another. */
    private boolean speaksForAnother(String id, StreamObserver<?> out) {
        Optional<String> shown = certified.get();
        if (shown.isEmpty() || id.startsWith(shown.get() + '@')) {
            return false;
        }
        out.onError(Errors.toException(Errors.of(
                Code.PERMISSION_DENIED,
                "certificate",
                "a request in the name of " + id + " came with the certificate of " + shown.get())));
        return true;
    }

    /**
     * Whether the one who asks was removed: what it forwards is taken at its word, and a snapshot has everything, so its
     * certificate is not enough.
     *
     * @param orJoining whether one that is just being added counts as a member
     */
    private static boolean isNoMember(NodeCore node, Optional<String> shown, boolean orJoining, StreamObserver<?> out) {
        if (shown.isEmpty()
                || node.isMember(shown.get())
                || (orJoining && node.changes().isJoining(shown.get()))) {
            return false;
        }
        out.onError(Errors.toException(
                Errors.of(Code.PERMISSION_DENIED, "certificate", shown.get() + " is not a member of this cluster")));
        return true;
    }

    private @Nullable NodeCore running(String cluster, StreamObserver<?> out) {
        NodeCore node = started;
        if (node == null) {
            out.onError(Errors.toException(Errors.of(Code.UNAVAILABLE, "node", "this node is still starting")));
            return null;
        }
        if (!cluster.isEmpty() && !cluster.equals(node.cluster())) {
            out.onError(Errors.toException(Errors.of(
                    Code.WRONG_CLUSTER,
                    "cluster",
                    "this node is of cluster " + node.cluster() + ", not of " + cluster)));
            return null;
        }
        return node;
    }
}
