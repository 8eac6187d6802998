package dev.holdfast.consensus.ratis.wire;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyExceptionReplyProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerReplyProto;
import org.apache.ratis.proto.netty.NettyProtos.RaftNettyServerRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one other member asks over one connection, and the answers. */
final class Conversation {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);
    private static final int READ_BUFFER = 16 * 1024;

    private final Socket socket;
    private final Optional<String> shown;
    private final PeerService service;
    private final OutputStream out;

    Conversation(PeerSockets.Opened opened, PeerService service) throws IOException {
        this.socket = opened.socket();
        this.shown = opened.shown();
        this.service = service;
        this.out = socket.getOutputStream();
    }

    /** Until the other end closes it, or says what cannot be read. */
    void run() throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), READ_BUFFER));
        while (true) {
            Frame frame = Frame.read(in);
            RaftNettyServerRequestProto request = RaftNettyServerRequestProto.parseFrom(frame.body());
            try {
                service.admit(shown, head(request));
                if (request.hasAppendEntriesRequest()) {
                    // The one that waits for the disk: meanwhile this thread reads on.
                    CompletableFuture<AppendEntriesReplyProto> unused = service.append(
                                    request.getAppendEntriesRequest())
                            .whenComplete((reply, e) -> appended(frame.call(), reply, e));
                } else {
                    write(frame.call(), reply(request));
                }
            } catch (IOException | RuntimeException e) {
                write(frame.call(), failed(e));
            }
        }
    }

    private static RaftRpcRequestProto head(RaftNettyServerRequestProto request) throws IOException {
        return switch (request.getRaftNettyServerRequestCase()) {
            case APPENDENTRIESREQUEST -> request.getAppendEntriesRequest().getServerRequest();
            case REQUESTVOTEREQUEST -> request.getRequestVoteRequest().getServerRequest();
            case INSTALLSNAPSHOTREQUEST -> request.getInstallSnapshotRequest().getServerRequest();
            case STARTLEADERELECTIONREQUEST ->
                request.getStartLeaderElectionRequest().getServerRequest();
            // Entries, members and leadership are the business of each process, not of whoever reaches this port.
            default -> throw new IOException("the peer port serves peers only");
        };
    }

    private RaftNettyServerReplyProto reply(RaftNettyServerRequestProto request) throws IOException {
        RaftNettyServerReplyProto.Builder reply = RaftNettyServerReplyProto.newBuilder();
        if (request.hasRequestVoteRequest()) {
            reply.setRequestVoteReply(service.vote(request.getRequestVoteRequest()));
        } else if (request.hasInstallSnapshotRequest()) {
            reply.setInstallSnapshotReply(service.installSnapshot(request.getInstallSnapshotRequest()));
        } else {
            reply.setStartLeaderElectionReply(service.startElection(request.getStartLeaderElectionRequest()));
        }
        return reply.build();
    }

    private void appended(long call, @Nullable AppendEntriesReplyProto reply, @Nullable Throwable failure) {
        try {
            write(
                    call,
                    reply == null
                            ? failed(failure)
                            : RaftNettyServerReplyProto.newBuilder()
                                    .setAppendEntriesReply(reply)
                                    .build());
        } catch (IOException e) {
            LOG.debug("an answer to {} cannot be sent: {}", socket.getRemoteSocketAddress(), e.toString());
        }
    }

    private static RaftNettyServerReplyProto failed(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return RaftNettyServerReplyProto.newBuilder()
                .setExceptionReply(RaftNettyExceptionReplyProto.newBuilder()
                        .setException(ByteString.copyFromUtf8(String.valueOf(cause))))
                .build();
    }

    private void write(long call, RaftNettyServerReplyProto reply) throws IOException {
        byte[] frame = Frame.of(call, reply);
        synchronized (out) {
            out.write(frame);
            out.flush();
        }
    }
}
