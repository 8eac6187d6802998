package dev.holdfast.server.grpc;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.Attachment;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.v1.Attached;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.GrantEnded;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LeaseEnded;
import dev.holdfast.protocol.v1.Renewed;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.Welcome;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Failures;
import dev.holdfast.server.operation.OpenRequests;
import dev.holdfast.server.operation.Operation;
import dev.holdfast.server.operation.PendingRequest.News;
import dev.holdfast.server.operation.RequestId;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.read.Reads;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Stamp;
import dev.holdfast.server.watch.KeyEvents;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What the messages of a session mean. They are carried out in the order in which they came; answers go out as they
 * come.
 *
 * <p>Confined to the session's event loop.
 */
final class SessionMessages implements Attachments.Session {
    /** Unanswered messages, and their bytes, above which no further frame is read. */
    static final int WINDOW = 4_096;

    /** Leases renewed by one message; looking for each takes time. */
    private static final int MAX_RENEWED = 4_096;

    private static final long WINDOW_BYTES = 1024 * 1024;

    private final GrpcNode edge;
    private final Caller caller;
    private final EventLoop loop;
    private final SessionStream stream;
    private final CommandCalls calls;
    private final Attachments attachments;
    private final OpenRequests openRequests = new OpenRequests();
    private final Watches watches;
    private String clientId;
    private boolean greeted;
    private int outstanding;
    private long outstandingBytes;
    private int bytes;
    private long pauseNanos;

    SessionMessages(GrpcNode edge, Caller caller, EventLoop loop, SessionStream stream) {
        this.edge = edge;
        this.caller = caller;
        this.loop = loop;
        this.stream = stream;
        this.calls = edge.calls();
        this.clientId = caller.host();
        this.attachments = new Attachments(edge.core().listeners(), edge.core().replica(), loop, this);
        KeyEvents events = new KeyEvents(attachments::isAttached);
        this.watches = edge.watches(events, caller, loop, stream);
    }

    void handle(ClientMessage message) {
        bytes = message.getSerializedSize();
        try {
            if (!greeted && message.getBodyCase() != ClientMessage.BodyCase.HELLO) {
                throw Rejected.invalid("hello", "must be the first message of a session");
            }
            carryOut(message);
        } catch (Rejected rejected) {
            pauseNanos = Math.max(pauseNanos, caller.refused());
            refuse(message.getId(), 0, 0, rejected.rejection());
        }
    }

    private void carryOut(ClientMessage message) {
        long id = message.getId();
        switch (message.getBodyCase()) {
            case HELLO -> greet(id, message.getHello());
            case ATTACH ->
                attach(id, RequestReader.lease("lease_id", message.getAttach().getLeaseId()));
            case RENEW -> renew(id, message.getRenew().getLeaseIdsList());
            case WATCH -> watch(id, message.getWatch());
            case LEASE_GRANT -> run(id, calls.leaseGrant, message.getLeaseGrant());
            case LEASE_REVOKE -> run(id, calls.leaseRevoke, message.getLeaseRevoke());
            case LEASE_EXTEND -> run(id, calls.leaseExtend, message.getLeaseExtend());
            case ACQUIRE -> run(id, calls.lock, message.getAcquire());
            case UPGRADE -> run(id, calls.upgrade, message.getUpgrade());
            case DOWNGRADE -> run(id, calls.downgrade, message.getDowngrade());
            case DESCRIBE -> run(id, calls.describe, message.getDescribe());
            case RELEASE -> run(id, calls.unlock, message.getRelease());
            case CANCEL -> run(id, calls.cancel, message.getCancel());
            case BODY_NOT_SET -> throw Rejected.invalid("body", "is missing, or not known to this version");
        }
    }

    private void greet(long id, Hello hello) {
        NodeCore node = edge.core();
        if (hello.getClusterId() != 0 && hello.getClusterId() != node.clusterNumber()) {
            stream.fail(Rejection.of(
                    ErrorCode.WRONG_CLUSTER,
                    "cluster_id",
                    0,
                    hello.getClusterId(),
                    "cluster_id: " + Long.toHexString(hello.getClusterId()) + " was asked for, this is "
                            + Long.toHexString(node.clusterNumber())));
            return;
        }
        greeted = true;
        clientId = hello.getClientId().isEmpty() ? caller.host() : hello.getClientId();
        stream.send(ServerMessage.newBuilder()
                .setId(id)
                .setWelcome(Welcome.newBuilder()
                        .setClusterId(node.clusterNumber())
                        .setLeader(node.leads())
                        .addAllMembers(node.clientAddresses())));
    }

    private void attach(long id, LeaseId lease) {
        count(Operation.LEASE_TIME_TO_LIVE);
        attachments.begin(lease);
        Reads.Question<Optional<Attachment>> question =
                edge.core().reads().read(caller.flow(), false, view -> view.attachment(lease, caller.principal()));
        follow(
                // Asked in the thread that applies: what happens to the lease from there on is told after this answer.
                question.ready().thenApply(ready -> question.look().get()),
                found -> {
                    Optional<Attachment> known = found.value();
                    Attached attached = known.map(lives -> Attached.newBuilder()
                                    .setExists(true)
                                    .setEndMs(lives.endMillis())
                                    .addAllFencingTokens(lives.grants().stream()
                                            .map(FencingToken::value)
                                            .toList())
                                    .build())
                            .orElse(Attached.getDefaultInstance());
                    stream.send(
                            ServerMessage.newBuilder()
                                    .setId(id)
                                    .setLeaseId(lease.value())
                                    .setAttached(attached),
                            found.stamp());
                    attachments.end(lease, known.isPresent());
                },
                failure -> {
                    attachments.end(lease, false);
                    refuse(id, lease.value(), 0, edge.failures().rejection(failure));
                });
    }

    private void renew(long id, List<Long> leases) {
        if (leases.size() > MAX_RENEWED) {
            throw Rejected.quota("leases in a renewal", MAX_RENEWED, leases.size());
        }
        long[] ids = leases.stream().mapToLong(Long::longValue).toArray();
        follow(
                edge.commands().renew(caller, ids),
                renewed -> stream.send(
                        ServerMessage.newBuilder()
                                .setId(id)
                                .setRenewed(Renewed.newBuilder()
                                        .addAllLeaseIds(leases)
                                        .addAllEndMs(LongStream.of(renewed.ends())
                                                .boxed()
                                                .toList())),
                        renewed.stamp()),
                failure -> refuse(id, 0, 0, edge.failures().rejection(failure)));
    }

    private void watch(long id, WatchRequest request) {
        if (request.getCancel()) {
            watches.cancel(id, request.getWatchId());
        } else {
            caller.spend();
            watches.open(id, ProtoMapper.watch(request));
        }
    }

    /** Sends a command on its way, and answers when there is an answer: perhaps that the request waits. */
    private <Q, B, R> void run(long id, CommandCall<Q, B, R> call, Q request) {
        count(call.operation());
        Asked asked = call.names().apply(request, caller);
        Command.OfLease command = call.read().read(request, caller, clientId);
        long lease = command.lease().value();
        long seq = seq(command);
        edge.commands().require(command, asked);
        // First: what happens to the lease may be known here before the answer.
        Consumer<@Nullable Result> answered = follower(command);
        follow(
                edge.core().requests().submit(caller.flow(), command),
                done -> {
                    answer(
                            id,
                            lease,
                            seq,
                            done,
                            (body, result) ->
                                    call.put().accept(body, call.write().write(result, command, asked)));
                    answered.accept(done.result());
                },
                failure -> {
                    refuse(id, lease, seq, edge.failures().rejection(failure));
                    answered.accept(null);
                });
    }

    /** What gives something back, or keeps it, is never too much. */
    private void count(Operation operation) {
        if (operation.isCounted()) {
            caller.spend();
        }
    }

    private static long seq(Command.OfLease command) {
        return command instanceof Command.Cancel cancel
                ? cancel.seq()
                : RequestId.of(command).map(RequestId::seq).orElse(0L);
    }

    /** Begins to listen to what happens to the command's lease; told, after the answer, of the result, if it is known. */
    private Consumer<@Nullable Result> follower(Command.OfLease command) {
        return switch (command.kind()) {
            case GRANT_LEASE -> {
                LeaseId lease = command.lease();
                attachments.begin(lease);
                yield result -> attachments.end(lease, result instanceof Result.LeaseGranted);
            }
            case ACQUIRE -> {
                List<Item> items = ((Command.Acquire) command).items();
                yield waiter(command, items.stream().map(Item::key).toList(), false);
            }
            case UPGRADE -> waiter(command, List.of(((Command.Upgrade) command).key()), true);
            case EXTEND_LEASE,
                    REVOKE_LEASE,
                    DOWNGRADE,
                    DESCRIBE,
                    RELEASE,
                    CANCEL,
                    FORCE_RELEASE,
                    SET_LIMIT,
                    RAISE_FEATURE_LEVEL -> result -> {};
        };
    }

    /** Whoever waits on this stream is told on it, even if attaching to the lease has failed before. */
    private Consumer<@Nullable Result> waiter(Command.OfLease command, List<LockKey> keys, boolean upgrade) {
        LeaseId lease = command.lease();
        attachments.begin(lease);
        OpenRequests.Open open = openRequests.asked(RequestId.of(command).orElseThrow(), keys, upgrade);
        return result -> {
            openRequests.answered(open, result).forEach(this::happened);
            attachments.end(lease, result != null && isTaken(result));
        };
    }

    /** Whether the request is known, and so its lease is the caller's. */
    private static boolean isTaken(Result result) {
        return switch (result.kind()) {
            case QUEUED, GRANTED -> true;
            case LEASE_GRANTED,
                    LEASE_REVOKED,
                    RELEASED,
                    ALREADY_RELEASED,
                    DOWNGRADED,
                    DESCRIBED,
                    CANCELLED,
                    ENDED,
                    CHANGED,
                    REFUSED -> false;
        };
    }

    /** Writes a result into a message, or throws {@link Rejected}. */
    private interface Body {
        void write(ServerMessage.Builder message, Result result);
    }

    private void answer(long id, long lease, long seq, Answer answer, Body body) {
        ServerMessage.Builder message =
                ServerMessage.newBuilder().setId(id).setLeaseId(lease).setSeq(seq);
        try {
            body.write(message, answer.result());
        } catch (Rejected rejected) {
            message.setError(GrpcErrors.error(rejected.rejection()));
        }
        stream.send(message, answer.stamp());
    }

    private void refuse(long id, long lease, long seq, Rejection rejection) {
        stream.send(ServerMessage.newBuilder()
                .setId(id)
                .setLeaseId(lease)
                .setSeq(seq)
                .setError(GrpcErrors.error(rejection)));
    }

    /**
     * Goes on, on the event loop, when something outside it is done. What is done already goes on at once: were it to
     * queue up, the events it caused on this node might be in that queue before it.
     */
    private <T> void follow(CompletableFuture<T> work, Consumer<T> done, Consumer<Throwable> failed) {
        outstanding++;
        int taken = bytes;
        outstandingBytes += taken;
        CompletableFuture<?> followed = work.handle((value, failure) -> {
            Runnable next = failure != null ? () -> failed(failure, failed) : () -> done.accept(value);
            if (loop.inEventLoop()) {
                goOn(taken, next);
            } else {
                loop.execute(() -> goOn(taken, next));
            }
            return true;
        });
        if (followed.isCompletedExceptionally()) {
            throw new IllegalStateException("the event loop takes no more work");
        }
    }

    private void failed(Throwable failure, Consumer<Throwable> told) {
        if (Failures.isRefusal(failure)) {
            pauseNanos = Math.max(pauseNanos, caller.refused());
        }
        told.accept(failure);
    }

    private void goOn(int taken, Runnable next) {
        outstanding--;
        outstandingBytes -= taken;
        next.run();
        stream.progressed();
    }

    /** Whether more is read from the client: what it sends meanwhile waits on its side. */
    boolean takesMore() {
        return outstanding < WINDOW && outstandingBytes < WINDOW_BYTES;
    }

    /** How long to wait before more is read, for what was refused since the last call. */
    long pauseNanos() {
        long pause = pauseNanos;
        pauseNanos = 0;
        return pause;
    }

    boolean isIdle() {
        return outstanding == 0 && watches.size() == 0;
    }

    void pump() {
        watches.pump();
    }

    void close() {
        attachments.close();
        watches.close();
    }

    @Override
    public void happened(News news) {
        if (openRequests.holdsBack(news)) {
            return;
        }
        Event event = news.event();
        if (news.ending() != null && event instanceof Event.OfLocks ofLocks) {
            RequestId request = RequestId.of(ofLocks);
            long lease = request.lease().value();
            String key = ofLocks.holds().get(0).key().toString();
            answer(
                    0,
                    lease,
                    request.seq(),
                    news.ending(),
                    (body, result) ->
                            body.setLock(Answers.lock(result, key, CommandCalls.asked(lease, false, caller))));
        } else {
            unasked(event, news.stamp());
        }
    }

    private void unasked(Event event, Stamp stamp) {
        switch (event.kind()) {
            case RELEASED -> grantEnded((Event.Released) event, stamp);
            case LEASE_ENDED -> leaseEnded((Event.LeaseEnded) event, stamp);
            case LEASE_STARTED, LEASE_EXTENDED, QUEUED, LEFT, GRANTED, MODE_CHANGED, DESCRIBED, DELAY_ENDED -> {}
        }
    }

    private void leaseEnded(Event.LeaseEnded ended, Stamp stamp) {
        stream.send(
                ServerMessage.newBuilder()
                        .setLeaseId(ended.lease().value())
                        .setLeaseEnded(LeaseEnded.newBuilder().setReason(ProtoMapper.reason(ended.reason()))),
                stamp);
    }

    private void grantEnded(Event.Released released, Stamp stamp) {
        if (released.reason() == EndReason.RELEASED || released.reason() == EndReason.CANCELLED) {
            return; // A client knows of what it released or cancelled itself.
        }
        stream.send(
                ServerMessage.newBuilder()
                        .setLeaseId(released.party().lease().value())
                        .setSeq(released.party().seq())
                        .setGrantEnded(GrantEnded.newBuilder()
                                .setFencingToken(released.token().value())
                                .setReason(ProtoMapper.reason(released.reason()))
                                .setDetail(released.detail())),
                stamp);
    }

    @Override
    public void interrupted() {
        stream.fail(Rejection.of(
                        ErrorCode.UNAVAILABLE,
                        "session",
                        "this node fell behind and took over another's state; connect again, attach, and repeat what"
                                + " has no answer")
                .withUnknownOutcome());
    }
}
