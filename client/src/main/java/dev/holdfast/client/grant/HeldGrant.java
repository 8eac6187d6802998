package dev.holdfast.client.grant;

import com.google.protobuf.ByteString;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.api.Slots;
import dev.holdfast.client.lease.ClientLease;
import dev.holdfast.client.lease.LeasedGrant;
import dev.holdfast.client.lease.Leases;
import dev.holdfast.client.session.ErrorMapper;
import dev.holdfast.client.session.FutureExchange;
import dev.holdfast.client.session.Replies;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.Waiting;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UnlockResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A grant of a session. Its end is decided once ({@link GrantEnd}); all else of it changes in the session's executor. */
final class HeldGrant implements Grant, LeasedGrant {
    private final Session session;
    private final ClientLease lease;
    private final List<String> keys;

    /** By key, in the order of the keys; empty for those that are no semaphores. */
    private final Map<String, Slots> slots;

    private final GrantEnd ending = new GrantEnd();
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();
    private final CompletableFuture<Outcome> released = new CompletableFuture<>();
    private final List<Runnable> warnings = new CopyOnWriteArrayList<>();
    private final long holdEndMillis;
    private final long holdDeadline;
    private final long sinceNanos;
    private volatile long token;
    private volatile boolean shared;
    private @Nullable GrantUpgrade upgrading;
    private boolean leaving;

    HeldGrant(Session session, Leases leases, ClientLease lease, LockResponse lock, boolean shared) {
        this.session = session;
        this.lease = lease;
        this.slots = new LinkedHashMap<>();
        lock.getHoldsList().forEach(hold -> slots.put(hold.getKey(), Slots.ofRanges(hold.getSlotsList())));
        this.keys = List.copyOf(slots.keySet());
        this.token = lock.getFencingToken();
        this.shared = shared;
        this.sinceNanos = session.now();
        this.holdEndMillis = lock.getHoldEndMs();
        this.holdDeadline = limitHold(leases);
    }

    /** A grant that another client had. */
    HeldGrant(Session session, Leases leases, ClientLease lease, ExportedGrant text) {
        this.session = session;
        this.lease = lease;
        this.slots = text.keys();
        this.keys = List.copyOf(slots.keySet());
        this.token = text.token();
        this.shared = text.shared();
        this.sinceNanos = session.now();
        this.holdEndMillis = text.holdEndMillis();
        this.holdDeadline = limitHold(leases);
    }

    private long limitHold(Leases leases) {
        if (!isHoldLimited()) {
            return 0;
        }
        long deadline = leases.deadline(holdEndMillis, lease.ttlMillis());
        session.later(deadline - session.now(), this::check);
        return deadline;
    }

    private boolean isHoldLimited() {
        return holdEndMillis > 0;
    }

    ClientLease lease() {
        return lease;
    }

    @Override
    public long token() {
        return token;
    }

    @Override
    public String key() {
        return keys.get(0);
    }

    @Override
    public List<String> keys() {
        return keys;
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public List<Integer> slots() {
        List<Slots> some =
                slots.values().stream().filter(each -> !each.isEmpty()).toList();
        return some.size() == 1
                ? some.get(0)
                : some.stream().flatMap(List::stream).toList();
    }

    @Override
    public Slots slots(String key) {
        return slots.getOrDefault(key, Slots.NONE);
    }

    @Override
    public State state() {
        if (ending.isReleased()) {
            return State.RELEASED;
        }
        if (!isValid()) {
            return State.LOST;
        }
        return lease.isInJeopardy() ? State.JEOPARDY : State.HELD;
    }

    @Override
    public boolean isValid() {
        return left() > 0;
    }

    /** Nanoseconds until the deadline; none for a grant that has ended. */
    private long left() {
        if (!ending.isHeld()) {
            return 0;
        }
        long now = session.now();
        long left = lease.deadline() - now;
        if (isHoldLimited()) {
            left = Math.min(left, holdDeadline - now);
        }
        if (left <= 0) {
            // Found out before the timer did: the listeners should know as well.
            session.execute(() -> {
                lease.check();
                check();
            });
        }
        return Math.max(left, 0);
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(left());
    }

    @Override
    public void requireValid(Duration needed) {
        Duration left = remaining();
        if (left.isZero() || left.compareTo(needed) < 0) {
            String why = ending.loss()
                    .map(loss -> "was lost (" + loss.reason() + ": " + loss.detail() + ")")
                    .orElse(ending.isReleased() ? "was released" : "is valid for " + left.toMillis() + " ms only");
            throw new LockLostException("the grant " + token + " of " + keys + " " + why);
        }
    }

    @Override
    public Grant onLost(Consumer<Loss> listener) {
        var unused = lost.thenAccept(loss -> session.callBack(() -> listener.accept(loss)));
        return this;
    }

    @Override
    public CompletionStage<Loss> lost() {
        return lost.thenApplyAsync(loss -> loss, session.callbacks());
    }

    @Override
    public Grant onJeopardy(Runnable listener) {
        warnings.add(listener);
        return this;
    }

    @Override
    public Grant interruptOnLoss(Thread thread) {
        return onLost(loss -> thread.interrupt());
    }

    @Override
    public void warn() {
        warnings.forEach(session::callBack);
    }

    @Override
    public void lose(Loss loss) {
        if (ending.lose(loss)) {
            lost.complete(loss);
            session.events().lost(loss);
        }
    }

    Optional<Loss> loss() {
        return ending.loss();
    }

    private void check() {
        if (isHoldLimited() && session.now() - holdDeadline >= 0) {
            lease.ranOut(token, new Loss(Loss.Reason.EXPIRED, "held as long as it may be (maxHold)"));
        }
    }

    // Changes ----------------------------------------------------------------------------------------

    @Override
    public boolean isChanging() {
        return upgrading != null;
    }

    @Override
    public void upgrade() throws InterruptedException {
        upgrade(AcquireOptions.FOREVER);
    }

    @Override
    public boolean upgrade(Duration wait) throws InterruptedException {
        return upgrade(wait.toNanos());
    }

    @Override
    public CompletableFuture<Boolean> upgradeAsync(Duration wait) {
        return upgrading(wait.toNanos(), 0).thenApplyAsync(Optional::isPresent, session.callbacks());
    }

    private boolean upgrade(long waitNanos) throws InterruptedException {
        return Waiting.interruptibly(upgrading(waitNanos, Thread.currentThread().getId()))
                .isPresent();
    }

    private CompletableFuture<Optional<HeldGrant>> upgrading(long waitNanos, long actor) {
        requireHeld();
        CompletableFuture<Optional<HeldGrant>> reply = new CompletableFuture<>();
        session.execute(() -> {
            if (!ending.isHeld()) {
                reply.completeExceptionally(new LockLostException("the grant has ended"));
                return;
            }
            if (upgrading != null) {
                reply.completeExceptionally(
                        new RefusedException("PARTIAL_OVERLAP", "the grant is already being upgraded"));
                return;
            }
            GrantUpgrade request = new GrantUpgrade(session, this, waitNanos, actor);
            upgrading = request;
            session.submit(request);
            Replies.pass(request.reply(), reply);
            Replies.then(reply, (granted, failure) -> {
                if (reply.isCancelled()) {
                    session.execute(() -> request.abandon(new LockLostException("interrupted")));
                }
            });
        });
        return reply;
    }

    void upgraded(long newToken) {
        long old = token;
        token = newToken;
        shared = false;
        if (!leaving) {
            lease.renamed(this, old);
        }
    }

    /** It is known by which token the cluster knows this grant. */
    void settled() {
        upgrading = null;
        if (leaving) {
            leaving = false;
            sendRelease();
        }
    }

    @Override
    public void downgrade() throws InterruptedException {
        var unused = Waiting.interruptibly(downgrading());
    }

    @Override
    public CompletableFuture<Boolean> downgradeAsync() {
        return downgrading().thenApplyAsync(done -> done, session.callbacks());
    }

    private CompletableFuture<Boolean> downgrading() {
        return ask(
                message -> message.setDowngrade(DowngradeRequest.newBuilder()
                        .setName(key())
                        .setLeaseId(lease.id())
                        .setFencingToken(token)),
                () -> shared = true);
    }

    @Override
    public void describe(byte[] metadata) throws InterruptedException {
        var unused = Waiting.interruptibly(describing(metadata));
    }

    @Override
    public CompletableFuture<Boolean> describeAsync(byte[] metadata) {
        return describing(metadata).thenApplyAsync(done -> done, session.callbacks());
    }

    private CompletableFuture<Boolean> describing(byte[] metadata) {
        ByteString bytes = ByteString.copyFrom(metadata);
        return ask(
                message -> message.setDescribe(DescribeRequest.newBuilder()
                        .setName(key())
                        .setLeaseId(lease.id())
                        .setFencingToken(token)
                        .setMetadata(bytes)),
                () -> {});
    }

    private CompletableFuture<Boolean> ask(Consumer<ClientMessage.Builder> writer, Runnable done) {
        requireHeld();
        FutureExchange<Boolean> ask = new FutureExchange<>(
                session.now(),
                false,
                writer,
                answer -> {
                    done.run();
                    return true;
                },
                error -> {
                    throw ErrorMapper.exception(error);
                });
        session.execute(() -> session.submit(ask));
        return ask.reply();
    }

    private void requireHeld() {
        requireValid(Duration.ZERO);
    }

    // Giving back ------------------------------------------------------------------------------------

    @Override
    public String export() {
        requireHeld();
        if (!lease.isSingle()) {
            throw new IllegalStateException("only a grant with a lease of its own can be exported: ask for one with"
                    + " lease(Duration) when acquiring");
        }
        if (!ending.release()) {
            throw new LockLostException("the grant has ended");
        }
        CompletableFuture<String> text = new CompletableFuture<>();
        session.execute(() -> {
            released.complete(Outcome.ALREADY_RELEASED);
            text.complete(new ExportedGrant(
                            lease.id(), lease.ttlMillis(), lease.lastSeq(), token, holdEndMillis, shared, slots)
                    .write());
            lease.handedOver();
        });
        return text.join();
    }

    @Override
    public void close() {
        if (ending.release()) {
            session.execute(this::leave);
        }
    }

    /**
     * As {@link #close}, in this very task: its caller may have asked for the lock again already, and would be told of
     * a deadlock with itself if that went out first.
     */
    void closeNow() {
        if (ending.release()) {
            leave();
        }
    }

    @Override
    public Outcome release() throws InterruptedException {
        return Waiting.interruptibly(releasing());
    }

    @Override
    public CompletableFuture<Outcome> releaseAsync() {
        return releasing().thenApplyAsync(outcome -> outcome, session.callbacks());
    }

    private CompletableFuture<Outcome> releasing() {
        boolean first = ending.release();
        CompletableFuture<Outcome> reply = new CompletableFuture<>();
        session.execute(() -> {
            if (first) {
                leave();
            }
            if (ending.isReleased()) {
                Replies.pass(released, reply);
            } else {
                // Lost: the lease is gone or going, and this grant with it.
                reply.complete(Outcome.ALREADY_RELEASED);
            }
        });
        return reply;
    }

    private void leave() {
        GrantUpgrade settling = upgrading;
        if (settling == null) {
            sendRelease();
        } else {
            // A release by the old token would miss the grant if the upgrade comes about.
            leaving = true;
            settling.abandon(new LockLostException("released while it was being upgraded"));
        }
    }

    private void sendRelease() {
        lease.gaveBack(this);
        session.events().released(session.now() - sinceNanos);
        FutureExchange<Outcome> ask = new FutureExchange<>(
                session.now(),
                true,
                message -> message.setRelease(UnlockRequest.newBuilder()
                        .setName(key())
                        .setLeaseId(lease.id())
                        .setFencingToken(token)
                        .setAckedBelow(lease.ackedBelow())),
                answer -> answer.getUnlock().getOutcome() == UnlockResponse.Outcome.RELEASED
                        ? Outcome.RELEASED
                        : Outcome.ALREADY_RELEASED,
                HeldGrant::refusedRelease);
        Replies.pass(ask.reply(), released);
        session.submit(ask);
        lease.endIfUnused();
    }

    private static Outcome refusedRelease(Error error) {
        return switch (error.getCode()) {
            case NOT_HOLDER -> Outcome.NOT_HOLDER;
            case LEASE_NOT_FOUND, LEASE_EXPIRED -> Outcome.ALREADY_RELEASED;
            default -> throw ErrorMapper.exception(error);
        };
    }

    @Override
    public String toString() {
        return "Grant[" + keys + (shared ? ", shared" : "") + ", token " + token + ", " + state() + "]";
    }
}
