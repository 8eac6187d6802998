package dev.holdfast.server.forward;

import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.codec.ResultCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.v1.ForwardFailure;
import dev.holdfast.protocol.v1.ForwardFrame;
import dev.holdfast.protocol.v1.ForwardRenewals;
import dev.holdfast.protocol.v1.ForwardReply;
import dev.holdfast.protocol.v1.ForwardReplyFrame;
import dev.holdfast.protocol.v1.ForwardRequest;
import dev.holdfast.protocol.v1.PeerGrpc;
import dev.holdfast.server.fair.Excess;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.fair.Room;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.RequestFailure.Reason;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Requests.Renewed;
import dev.holdfast.server.request.Stamp;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way to one leader: a stream that carries the requests of this node's clients there.
 *
 * <p>It lives as long as its stream. When that breaks, what was on its way ends with an unknown outcome and the next
 * request gets a new forwarder.
 */
final class Forwarder implements Requests, StreamObserver<ForwardReplyFrame> {
    private static final int MAX_PER_FRAME = 1_024;
    private static final int MAX_OUTSTANDING = 65_536;
    private static final long MAX_OUTSTANDING_BYTES = 64L * 1024 * 1024;

    private final String address;
    private final ConcurrentHashMap<Long, Outstanding> outstanding = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Room room;
    private final StreamObserver<ForwardFrame> stream;
    private final Coalescer<ForwardRequest> coalescer;
    private final LongSupplier nanos;
    private volatile boolean broken;

    private record Outstanding(Flow flow, int bytes, long sentNanos, Reply reply) {}

    /** Takes the one reply of a request. */
    private interface Reply {
        void arrived(ForwardReply reply, Stamp stamp);

        void failed(RequestFailure failure);
    }

    Forwarder(String address, String cluster, PeerGrpc.PeerStub leader, Executor executor, LongSupplier nanos) {
        this.nanos = nanos;
        this.address = address;
        this.room = new Room("too much waits for the leader at " + address, MAX_OUTSTANDING, MAX_OUTSTANDING_BYTES);
        this.stream = leader.forward(this);
        this.coalescer = new Coalescer<>(executor, MAX_PER_FRAME, this::write);
        stream.onNext(ForwardFrame.newBuilder().setCluster(cluster).build());
    }

    String address() {
        return address;
    }

    boolean isBroken() {
        return broken;
    }

    @Override
    public CompletableFuture<Answer> submit(Flow flow, Command command) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        // In the log's own encoding, as a batch of one.
        byte[] bytes = CommandCodec.encode(Batch.of(0, 0, 0, List.of(command)));
        send(
                flow,
                ForwardRequest.newBuilder().setCommand(UnsafeByteOperations.unsafeWrap(bytes)),
                Requests.givesBack(command),
                new CompletingReply<>(answer) {
                    @Override
                    public void arrived(ForwardReply reply, Stamp stamp) {
                        answer.complete(
                                new Answer(ResultCodec.decode(reply.getResult().toByteArray()), stamp));
                    }
                });
        return answer;
    }

    @Override
    public CompletableFuture<Renewed> renew(Flow flow, String principal, long[] leases) {
        CompletableFuture<Renewed> answer = new CompletableFuture<>();
        ForwardRenewals.Builder renewals = ForwardRenewals.newBuilder().setPrincipal(principal);
        Arrays.stream(leases).forEach(renewals::addLeaseIds);
        send(flow, ForwardRequest.newBuilder().setRenewals(renewals), true, new CompletingReply<>(answer) {
            @Override
            public void arrived(ForwardReply reply, Stamp stamp) {
                long[] ends = reply.getEnds().getEndMsList().stream()
                        .mapToLong(Long::longValue)
                        .toArray();
                answer.complete(new Renewed(ends, stamp));
            }
        });
        return answer;
    }

    @Override
    public CompletableFuture<Stamp> barrier(Flow flow) {
        CompletableFuture<Stamp> answer = new CompletableFuture<>();
        send(flow, ForwardRequest.newBuilder().setBarrier(true), false, new CompletingReply<>(answer) {
            @Override
            public void arrived(ForwardReply reply, Stamp stamp) {
                answer.complete(stamp);
            }
        });
        return answer;
    }

    private abstract static class CompletingReply<T> implements Reply {
        private final CompletableFuture<T> answer;

        CompletingReply(CompletableFuture<T> answer) {
            this.answer = answer;
        }

        @Override
        public void failed(RequestFailure failure) {
            answer.completeExceptionally(failure);
        }
    }

    private void send(Flow flow, ForwardRequest.Builder made, boolean relieves, Reply reply) {
        long id = ids.incrementAndGet();
        ForwardRequest request = made.setId(id)
                .setParty(flow.party())
                .setConnection(flow.connection())
                .build();
        int bytes = request.getSerializedSize();
        Excess excess;
        synchronized (room) {
            excess = room.enter(flow, bytes, relieves ? 2 : 1);
        }
        if (excess != null) {
            reply.failed(RequestFailure.overloaded(excess));
            return;
        }
        outstanding.put(id, new Outstanding(flow, bytes, nanos.getAsLong(), reply));
        coalescer.add(flow, bytes, request);
        if (broken) {
            // It broke while this request was added: whoever removes it answers it.
            failAll("the connection to the leader at " + address + " broke");
        }
    }

    /** Whoever removes a request answers it. */
    private @Nullable Outstanding remove(long id) {
        Outstanding removed = outstanding.remove(id);
        if (removed != null) {
            synchronized (room) {
                room.leave(removed.flow(), removed.bytes());
            }
        }
        return removed;
    }

    private void write(List<ForwardRequest> requests) {
        if (!broken) {
            stream.onNext(ForwardFrame.newBuilder().addAllRequests(requests).build());
        }
    }

    @Override
    public void onNext(ForwardReplyFrame frame) {
        for (ForwardReply reply : frame.getRepliesList()) {
            Outstanding answered = remove(reply.getId());
            if (answered == null) {
                continue; // told before that the outcome is unknown
            }
            if (reply.hasFailure()) {
                answered.reply().failed(failureOf(reply.getFailure()));
            } else {
                answered.reply()
                        .arrived(
                                reply,
                                new Stamp(
                                        reply.getTerm(),
                                        reply.getIndex(),
                                        reply.getClusterTimeMs(),
                                        reply.getRevision()));
            }
        }
    }

    private static RequestFailure failureOf(ForwardFailure failure) {
        if (failure.getOverloaded()) {
            return RequestFailure.overloaded(
                    new Excess(failure.getLimit(), failure.getMost(), failure.getActual(), failure.getMessage()));
        }
        return failure.getUnknownOutcome()
                ? RequestFailure.unknown(Reason.NO_LEADER, failure.getMessage())
                : RequestFailure.notDone(Reason.NO_LEADER, failure.getMessage());
    }

    /** Ends the wait for what was sent too long ago. */
    void failOlderThan(long patienceNanos) {
        long now = nanos.getAsLong();
        outstanding.forEach((id, waiting) -> {
            if (now - waiting.sentNanos() > patienceNanos && remove(id) != null) {
                waiting.reply()
                        .failed(RequestFailure.unknown(
                                Reason.NO_QUORUM, "the leader at " + address + " did not answer in time"));
            }
        });
    }

    @Override
    public void onError(Throwable failure) {
        broken = true;
        failAll("the connection to the leader at " + address + " broke: " + failure.getMessage());
    }

    @Override
    public void onCompleted() {
        broken = true;
        failAll("the leader at " + address + " closed the connection");
    }

    void close() {
        broken = true;
        stream.onCompleted();
        failAll("another node leads now");
    }

    private void failAll(String message) {
        for (Long id : outstanding.keySet()) {
            Outstanding waiting = remove(id);
            if (waiting != null) {
                waiting.reply().failed(RequestFailure.unknown(Reason.NO_LEADER, message + "; the outcome is unknown"));
            }
        }
    }
}
