package dev.holdfast.server.grpc;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.LeaseView;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.protocol.v1.Attached;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.GrantEnded;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LeaseEnded;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.Renewed;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.Welcome;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.grpc.OpenRequests.News;
import dev.holdfast.server.grpc.OpenRequests.Open;
import dev.holdfast.server.operation.NodeFacts;
import dev.holdfast.server.operation.Refusals.Asked;
import dev.holdfast.server.operation.RequestId;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.Stamp;
import dev.holdfast.server.watch.KeyEvents;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * What the messages of a session mean. They are carried out in the order in which they came; answers go out as they
 * come.
 *
 * <p>Confined to the session's event loop.
 */
final class SessionMessages implements Attachments.Session {
    /** Unanswered messages; those that give something back are not counted against it. */
    static final int MAX_OUTSTANDING = 65_536;

    private final EdgeParts edge;
    private final Caller caller;
    private final EventLoop loop;
    private final SessionStream stream;
    private final Commands commands;
    private final Attachments attachments;
    private final OpenRequests openRequests = new OpenRequests();
    private final Watches watches;
    private String clientId;
    private boolean greeted;
    private int outstanding;

    SessionMessages(EdgeParts edge, Caller caller, EventLoop loop, SessionStream stream) {
        this.edge = edge;
        this.caller = caller;
        this.loop = loop;
        this.stream = stream;
        this.commands = edge.commands();
        this.clientId = caller.host();
        this.attachments = new Attachments(edge.node().listeners(), edge.endings(), loop, this);
        KeyEvents events = new KeyEvents(attachments::isAttached);
        this.watches = edge.watches(events, caller, loop, stream);
    }

    void handle(ClientMessage message) {
        try {
            if (!greeted && message.getBodyCase() != ClientMessage.BodyCase.HELLO) {
                throw Rejected.invalid("hello", "must be the first message of a session");
            }
            carryOut(message);
        } catch (Rejected rejected) {
            refuse(message.getId(), 0, 0, rejected.rejection());
        }
    }

    private void carryOut(ClientMessage message) {
        if (isCounted(message)) {
            caller.spend();
        }
        long id = message.getId();
        switch (message.getBodyCase()) {
            case HELLO -> greet(id, message.getHello());
            case LEASE_GRANT -> grantLease(id, message.getLeaseGrant());
            case LEASE_REVOKE -> {
                Command.RevokeLease command = commands.revokeLease(message.getLeaseRevoke(), caller);
                Asked asked = Asked.ofLease(command.lease().value(), caller);
                submit(id, command, 0, (body, result) -> body.setLeaseRevoked(Answers.leaseRevoked(result, asked)));
            }
            case LEASE_EXTEND -> {
                Command.ExtendLease command = commands.extendLease(message.getLeaseExtend(), caller);
                Asked asked = Asked.ofLease(command.lease().value(), caller);
                requireRoom();
                submit(
                        id,
                        command,
                        0,
                        (body, result) -> body.setLeaseGranted(Answers.leaseGranted(result, command.lease(), asked)));
            }
            case ATTACH ->
                attach(id, Commands.lease("lease_id", message.getAttach().getLeaseId()));
            case RENEW -> renew(id, message.getRenew().getLeaseIdsList());
            case ACQUIRE -> acquire(id, message.getAcquire());
            case UPGRADE -> {
                Command.Upgrade command = commands.upgrade(message.getUpgrade(), caller);
                String name = message.getUpgrade().getName();
                lock(id, command, command.seq(), name, false, List.of(command.key()));
            }
            case DOWNGRADE -> {
                Command.Downgrade command = commands.downgrade(message.getDowngrade(), caller);
                Asked asked = Asked.ofLock(command.lease().value(), false, caller);
                String name = message.getDowngrade().getName();
                submit(id, command, 0, (body, result) -> body.setLock(Answers.lock(result, name, asked)));
            }
            case DESCRIBE -> {
                Command.Describe command = commands.describe(message.getDescribe(), caller);
                Asked asked = Asked.ofLock(command.lease().value(), false, caller);
                requireRoom();
                submit(id, command, 0, (body, result) -> body.setDescribed(Answers.described(result, asked)));
            }
            case RELEASE -> {
                Command.Release command = commands.release(message.getRelease(), caller);
                Asked asked = Asked.ofLock(command.lease().value(), false, caller);
                submit(id, command, 0, (body, result) -> body.setUnlock(Answers.unlock(result, asked)));
            }
            case CANCEL -> {
                Command.Cancel command = commands.cancel(message.getCancel(), caller);
                Asked asked = Asked.ofLock(command.lease().value(), false, caller);
                submit(id, command, command.seq(), (body, result) -> body.setCancelled(Answers.cancel(result, asked)));
            }
            case WATCH -> {
                WatchRequest watch = message.getWatch();
                if (watch.getCancel()) {
                    watches.cancel(id, watch.getWatchId());
                } else {
                    watches.open(id, ProtoMapper.watch(watch));
                }
            }
            case BODY_NOT_SET -> throw Rejected.invalid("body", "is missing, or not known to this version");
        }
    }

    /** What gives something back, or keeps it, is never too much. */
    private static boolean isCounted(ClientMessage message) {
        return switch (message.getBodyCase()) {
            case HELLO, RENEW, RELEASE, DOWNGRADE, CANCEL, LEASE_REVOKE, BODY_NOT_SET -> false;
            case WATCH -> !message.getWatch().getCancel();
            case LEASE_GRANT, LEASE_EXTEND, ATTACH, ACQUIRE, UPGRADE, DESCRIBE -> true;
        };
    }

    /** Writes a result into the answer, or throws {@link Rejected}. */
    private interface Body {
        ServerMessage.Builder write(ServerMessage.Builder message, Result result);
    }

    private void greet(long id, Hello hello) {
        NodeFacts facts = edge.node().facts();
        if (hello.getClusterId() != 0 && hello.getClusterId() != facts.clusterId()) {
            stream.fail(Rejection.of(
                    ErrorCode.WRONG_CLUSTER,
                    "cluster_id",
                    0,
                    hello.getClusterId(),
                    "cluster_id: " + Long.toHexString(hello.getClusterId()) + " was asked for, this is "
                            + Long.toHexString(facts.clusterId())));
            return;
        }
        greeted = true;
        clientId = hello.getClientId().isEmpty() ? caller.host() : hello.getClientId();
        stream.send(ServerMessage.newBuilder()
                .setId(id)
                .setWelcome(Welcome.newBuilder()
                        .setClusterId(facts.clusterId())
                        .setLeader(facts.leads().getAsBoolean())
                        .addAllMembers(facts.members().get())));
    }

    private void grantLease(long id, LeaseGrantRequest request) {
        Command.GrantLease command = commands.grantLease(request, caller, clientId);
        LeaseId lease = command.lease();
        Asked asked = Asked.ofLease(lease.value(), caller);
        requireRoom();
        attachments.begin(lease);
        submit(
                id,
                command,
                0,
                (body, result) -> body.setLeaseGranted(Answers.leaseGranted(result, lease, asked)),
                result -> {
                    if (result.isPresent() && result.get() instanceof Result.LeaseGranted) {
                        attachments.confirm(lease);
                    } else {
                        attachments.refuse(lease);
                    }
                });
    }

    private void attach(long id, LeaseId lease) {
        requireRoom();
        attachments.begin(lease);
        follow(
                edge.node().reads().read(false, view -> view.lease(lease, caller.principal())),
                found -> {
                    Optional<LeaseView> view = found.value();
                    Attached attached = view.map(mine -> Attached.newBuilder()
                                    .setExists(true)
                                    .setEndMs(found.stamp().now() + mine.leftMillis())
                                    .addAllFencingTokens(mine.tokens().stream()
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
                    if (view.isPresent()) {
                        attachments.confirm(lease);
                    } else {
                        attachments.refuse(lease);
                    }
                },
                failure -> {
                    attachments.refuse(lease);
                    refuse(id, lease.value(), 0, edge.failures().rejection(failure));
                });
    }

    private void renew(long id, List<Long> leases) {
        long[] ids = leases.stream().mapToLong(Long::longValue).toArray();
        follow(
                edge.node().requests().renew(caller.principal(), ids),
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

    private void acquire(long id, LockRequest request) {
        Command.Acquire command = commands.acquire(request, caller);
        List<LockKey> keys = command.items().stream().map(Item::key).toList();
        lock(id, command, command.seq(), keys.get(0).toString(), request.getItemsCount() > 0, keys);
    }

    private void lock(long id, Command.OfLease command, long seq, String key, boolean set, List<LockKey> keys) {
        requireRoom();
        // Whoever waits on this stream is told on it, even if attaching to the lease has failed before.
        attachments.begin(command.lease());
        Asked asked = Asked.ofLock(command.lease().value(), set, caller);
        Open open = openRequests.asked(
                RequestId.of(command.lease(), seq, keys.get(0)), keys, command instanceof Command.Upgrade);
        submit(id, command, seq, (body, result) -> body.setLock(Answers.lock(result, key, asked)), result -> {
            openRequests.answered(open, result).forEach(this::happened);
            if (result.orElse(null) instanceof Result.Queued || result.orElse(null) instanceof Result.Granted) {
                attachments.confirm(command.lease());
            } else {
                attachments.refuse(command.lease());
            }
        });
    }

    private void submit(long id, Command.OfLease command, long seq, Body body) {
        submit(id, command, seq, body, result -> {});
    }

    /**
     * Sends a command on its way and answers the message.
     *
     * @param answered told, after the answer, of the result; of none if it is not known
     */
    private void submit(long id, Command.OfLease command, long seq, Body body, Consumer<Optional<Result>> answered) {
        long lease = command.lease().value();
        follow(
                edge.node().requests().submit(command),
                answer -> {
                    answer(id, lease, seq, answer, body);
                    answered.accept(Optional.of(answer.result()));
                },
                failure -> {
                    refuse(id, lease, seq, edge.failures().rejection(failure));
                    answered.accept(Optional.empty());
                });
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
        CompletableFuture<?> followed = work.handle((value, failure) -> {
            Runnable next = failure != null ? () -> failed.accept(failure) : () -> done.accept(value);
            if (loop.inEventLoop()) {
                goOn(next);
            } else {
                loop.execute(() -> goOn(next));
            }
            return true;
        });
        if (followed.isCompletedExceptionally()) {
            throw new IllegalStateException("the event loop takes no more work");
        }
    }

    private void goOn(Runnable next) {
        outstanding--;
        next.run();
        stream.progressed();
    }

    private void requireRoom() {
        if (outstanding >= MAX_OUTSTANDING) {
            throw Rejected.quota("unanswered messages of a session", MAX_OUTSTANDING, outstanding + 1L);
        }
    }

    /** Whether more is read from the client: release, cancel and renew are never refused, but they may have to wait. */
    boolean takesMore() {
        return outstanding < 2 * MAX_OUTSTANDING;
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
        if (news.ending().isPresent() && event instanceof Event.OfLocks ofLocks) {
            RequestId request = RequestId.of(ofLocks);
            long lease = request.lease().value();
            String key = ofLocks.holds().get(0).key().toString();
            answer(
                    0,
                    lease,
                    request.seq(),
                    news.ending().get(),
                    (body, result) -> body.setLock(Answers.lock(result, key, Asked.ofLock(lease, false, caller))));
        } else if (event instanceof Event.Released released && isUnasked(released.reason())) {
            grantEnded(released, news.stamp());
        } else if (event instanceof Event.LeaseEnded ended) {
            stream.send(
                    ServerMessage.newBuilder()
                            .setLeaseId(ended.lease().value())
                            .setLeaseEnded(LeaseEnded.newBuilder().setReason(ProtoMapper.reason(ended.reason()))),
                    news.stamp());
        }
    }

    /** A client knows of what it released or cancelled itself. */
    private static boolean isUnasked(EndReason reason) {
        return reason != EndReason.RELEASED && reason != EndReason.CANCELLED;
    }

    private void grantEnded(Event.Released released, Stamp stamp) {
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
