package dev.holdfast.server.forward;

import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.codec.ResultCodec;
import dev.holdfast.core.command.Command;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.ForwardEnds;
import dev.holdfast.protocol.v1.ForwardFailure;
import dev.holdfast.protocol.v1.ForwardFrame;
import dev.holdfast.protocol.v1.ForwardRenewals;
import dev.holdfast.protocol.v1.ForwardReply;
import dev.holdfast.protocol.v1.ForwardReplyFrame;
import dev.holdfast.protocol.v1.ForwardRequest;
import dev.holdfast.server.fair.Excess;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests;
import dev.holdfast.server.request.Stamp;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** The leader's end of a follower's stream. */
public final class ForwardReceiver implements StreamObserver<ForwardFrame> {
    private static final int MAX_PER_FRAME = 1_024;

    private final Requests local;
    private final String cluster;
    private final BooleanSupplier member;
    private final StreamObserver<ForwardReplyFrame> replies;
    private final Coalescer<ForwardReply> coalescer;
    private volatile boolean over;

    /**
     * An end that answers.
     *
     * @param member whether the node at the other end is a member still
     */
    public ForwardReceiver(
            Requests local,
            String cluster,
            BooleanSupplier member,
            StreamObserver<ForwardReplyFrame> replies,
            Executor executor) {
        this.local = local;
        this.cluster = cluster;
        this.member = member;
        this.replies = replies;
        this.coalescer = new Coalescer<>(executor, MAX_PER_FRAME, list -> {
            if (!over) {
                replies.onNext(
                        ForwardReplyFrame.newBuilder().addAllReplies(list).build());
            }
        });
    }

    @Override
    public void onNext(ForwardFrame frame) {
        if (!frame.getCluster().isEmpty() && !frame.getCluster().equals(cluster)) {
            end(Code.WRONG_CLUSTER, "cluster", "this node is of cluster " + cluster + ", not of " + frame.getCluster());
            return;
        }
        if (over || !member.getAsBoolean()) {
            end(Code.PERMISSION_DENIED, "certificate", "the node that forwards is no longer a member of this cluster");
            return;
        }
        for (ForwardRequest request : frame.getRequestsList()) {
            answer(request);
        }
    }

    private void end(Code code, String subject, String why) {
        if (!over) {
            over = true;
            replies.onError(Errors.toException(Errors.of(code, subject, why)));
        }
    }

    private void answer(ForwardRequest request) {
        long id = request.getId();
        switch (request.getBodyCase()) {
            case COMMAND -> command(request);
            case RENEWALS -> {
                ForwardRenewals renewals = request.getRenewals();
                long[] leases = renewals.getLeaseIdsList().stream()
                        .mapToLong(Long::longValue)
                        .toArray();
                reply(id, local.renew(flow(request), renewals.getPrincipal(), leases), (renewed, reply) -> {
                    ForwardEnds.Builder ends = ForwardEnds.newBuilder();
                    Arrays.stream(renewed.ends()).forEach(ends::addEndMs);
                    stamp(reply, renewed.stamp()).setEnds(ends);
                });
            }
            case BARRIER ->
                reply(
                        id,
                        local.barrier(flow(request)),
                        (stamp, reply) -> stamp(reply, stamp).setBarrier(true));
            case BODY_NOT_SET ->
                failed(id, RequestFailure.notDone(RequestFailure.Reason.NO_LEADER, "an empty request"));
        }
    }

    private static Flow flow(ForwardRequest request) {
        return new Flow(request.getParty(), request.getConnection());
    }

    private void command(ForwardRequest request) {
        Command command;
        try {
            command = CommandCodec.decode(request.getCommand().toByteArray())
                    .commands()
                    .get(0);
        } catch (CodecException | IndexOutOfBoundsException e) {
            failed(
                    request.getId(),
                    RequestFailure.notDone(
                            RequestFailure.Reason.NO_LEADER,
                            "the leader does not know this command; it runs another version: " + e.getMessage()));
            return;
        }
        reply(
                request.getId(),
                local.submit(flow(request), command),
                (answer, reply) -> stamp(reply, answer.stamp())
                        .setResult(UnsafeByteOperations.unsafeWrap(ResultCodec.encode(answer.result()))));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are replied to
    private <T> void reply(long id, CompletableFuture<T> future, BiConsumer<T, ForwardReply.Builder> fill) {
        future.whenComplete((value, failure) -> {
            if (failure != null) {
                failed(id, failure);
            } else {
                ForwardReply.Builder reply = ForwardReply.newBuilder().setId(id);
                fill.accept(value, reply);
                reply(reply.build());
            }
        });
    }

    /** What was done is answered in the order in which it was done. */
    private void reply(ForwardReply reply) {
        coalescer.add(Flow.OF_NODE, reply.getSerializedSize(), reply);
    }

    private static ForwardReply.Builder stamp(ForwardReply.Builder reply, Stamp stamp) {
        return reply.setTerm(stamp.term())
                .setIndex(stamp.index())
                .setClusterTimeMs(stamp.now())
                .setRevision(stamp.revision());
    }

    private void failed(long id, Throwable failure) {
        ForwardFailure.Builder told = ForwardFailure.newBuilder().setMessage(String.valueOf(failure.getMessage()));
        if (failure instanceof RequestFailure request) {
            Excess excess = request.excess();
            told.setUnknownOutcome(request.unknownOutcome())
                    .setOverloaded(request.reason() == RequestFailure.Reason.OVERLOADED)
                    .setLimit(excess.limit())
                    .setMost(excess.most())
                    .setActual(excess.actual());
        } else {
            told.setUnknownOutcome(true);
        }
        reply(ForwardReply.newBuilder().setId(id).setFailure(told).build());
    }

    @Override
    public void onError(Throwable failure) {
        over = true;
    }

    @Override
    public void onCompleted() {
        over = true;
        replies.onCompleted();
    }
}
