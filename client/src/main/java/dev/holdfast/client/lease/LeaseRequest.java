package dev.holdfast.client.lease;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.RefusedException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.session.ErrorMapper;
import dev.holdfast.client.session.Exchange;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A request with an id: for a new grant, or for more of one.
 *
 * <pre>
 *   UNSENT --> SENT ------------------> DONE
 *      |         |  ^                    ^
 *      |         v  | a new stream       |
 *      |       PLACED -------------------+   granted, timed out, refused
 *      |         |                       |
 *      +---------+------> ABANDONED -----+   the cancellation is answered; at once if nothing was sent
 * </pre>
 *
 * <p>The cluster knows it by (lease, seq): sent twice it is one request, and its place in the queue survives streams
 * and leaders. An abandoned one is cancelled, which wins over a grant that may be on its way.
 *
 * <p>Confined to the session's executor, but for the reply.
 */
public abstract class LeaseRequest<G> implements Exchange {
    /** A wait without end. */
    public static final long FOREVER = -1;

    /** How much longer than the wait itself its end may take to be told. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Session session;
    private final ClientLease lease;
    private final long seq;
    private final long begunNanos;
    private final long waitEndNanos;
    private final boolean limited;
    private final boolean waits;
    private final CompletableFuture<Optional<G>> reply = new CompletableFuture<>();
    private State state = State.UNSENT;
    /** It is in the cluster's queue, whether or not there is a stream: it stays there as long as the lease. */
    private boolean hasPlace;

    enum State {
        UNSENT,
        SENT,
        PLACED,
        ABANDONED,
        DONE
    }

    protected LeaseRequest(Session session, ClientLease lease, long waitNanos) {
        this.session = session;
        this.lease = lease;
        this.seq = lease.open(this);
        this.begunNanos = session.now();
        this.limited = waitNanos >= 0;
        this.waits = waitNanos != 0;
        this.waitEndNanos = begunNanos + Math.max(waitNanos, 0);
    }

    /** The grant; none if it could not be acquired in time. Never shown to users: what depends on it runs on the session's executor. */
    public final CompletableFuture<Optional<G>> reply() {
        return reply;
    }

    protected final long seq() {
        return seq;
    }

    protected final ClientLease lease() {
        return lease;
    }

    final State state() {
        return state;
    }

    /** The wait that is left, as it is sent. */
    protected final long timeoutMillis() {
        if (!limited) {
            return FOREVER;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(waitEndNanos - session.now());
        return waits ? Math.max(left, 1) : 0;
    }

    protected final void sending() {
        if (state == State.UNSENT || state == State.PLACED) {
            state = State.SENT;
        }
    }

    /** The stream on which this waits is gone; whether it has to be sent again. */
    final boolean isPlaced() {
        return state == State.PLACED;
    }

    @Override
    public final boolean isWanted() {
        return switch (state) {
            case UNSENT, SENT, PLACED -> true;
            case ABANDONED -> outlivesItsCaller();
            case DONE -> false;
        };
    }

    /**
     * Whether its answer is needed even when nobody waits for it: the cancellation of an acquire gives back what was
     * granted; that of an upgrade comes too late for one that happened, and the grant's new token must be known.
     */
    protected abstract boolean outlivesItsCaller();

    /** Nothing more will come of it. */
    protected abstract void settled();

    @Override
    public final void answered(ServerMessage answer, long sentNanos) {
        LockResponse lock = answer.getLock();
        if (lock.getAcquired() && lease.isStarting()) {
            // What was said of the lease itself was lost on its way; a grant without it would not be believed in.
            lease.confirmed(sentNanos, answer.getClusterTimeMs(), lock.getLeaseEndMs());
        }
        outcome(lock);
    }

    /** What became of it, asked or not. */
    final void outcome(LockResponse lock) {
        if (state == State.DONE) {
            return;
        }
        if (state == State.ABANDONED) {
            abandonedOutcome(lock);
        } else if (lock.getQueued()) {
            state = State.PLACED;
            hasPlace = true;
            lease.answered(this);
        } else if (lock.getAcquired()) {
            finish();
            session.events().acquired(session.now() - begunNanos);
            reply.complete(Optional.of(granted(lock)));
        } else if (lock.getCode() == Code.GRANT_ENDED) {
            fail(new LockLostException("granted, but ended before this client heard of it: " + lock.getEnded()));
        } else if (lock.getCode() == Code.CANCELLED) {
            fail(new RefusedException(Code.CANCELLED.name(), "cancelled by somebody else"));
        } else {
            finish();
            session.events().timedOut();
            reply.complete(Optional.empty());
            lease.endIfUnused();
        }
    }

    /** It ends by its cancellation, which also gives back what was granted, if it can. */
    private void abandonedOutcome(LockResponse lock) {
        if (outlivesItsCaller() && !lock.getQueued()) {
            if (lock.getAcquired()) {
                var unused = granted(lock);
            }
            finish();
        }
    }

    /** The cluster granted it. */
    protected abstract G granted(LockResponse lock);

    /** It overtook its lease, which could not be granted then and is still being asked for. */
    @Override
    public final boolean mayPass(Error error) {
        return ErrorMapper.isOfLease(error) && lease.isStarting();
    }

    @Override
    public final void refused(Error error) {
        if (ErrorMapper.isOfLease(error)) {
            lease.endedByCluster(error.getMessage());
        }
        if (state == State.ABANDONED && outlivesItsCaller()) {
            finish();
        }
        if (state == State.ABANDONED || state == State.DONE) {
            return;
        }
        if (error.getCode() == Code.REQUEST_FORGOTTEN) {
            // It had a place, and ended while no stream was open: whatever the end was, nothing is held by it.
            if (limited) {
                finish();
                reply.complete(Optional.empty());
                lease.endIfUnused();
            } else {
                fail(new UnavailableException("the request ended while the cluster could not be reached"));
            }
            return;
        }
        fail(ErrorMapper.exception(error));
    }

    final void fail(HoldfastException failure) {
        if (state != State.DONE) {
            finish();
            reply.completeExceptionally(failure);
            lease.endIfUnused();
        }
    }

    /** Nobody wants it any more; a grant that has come or comes is given back. */
    public final void abandon(HoldfastException why) {
        switch (state) {
            case UNSENT -> fail(why);
            case SENT, PLACED -> {
                state = State.ABANDONED;
                lease.answered(this);
                reply.completeExceptionally(why);
                session.submit(new CancelExchange(this));
            }
            case ABANDONED -> {}
            case DONE -> {
                if (!reply.isCompletedExceptionally()) {
                    reply.join().ifPresent(this::giveBack);
                }
            }
        }
    }

    /** Undoes what was granted to a caller who left. */
    protected abstract void giveBack(G grant);

    /** The cancellation was answered. */
    final void cancelled(CancelResponse.Was was) {
        if (state != State.ABANDONED) {
            return;
        }
        if (outlivesItsCaller() && was == CancelResponse.Was.FINISHED) {
            session.submit(this); // it came too late: the answer is still to be had
        } else {
            finish();
            lease.endIfUnused();
        }
    }

    private void finish() {
        state = State.DONE;
        lease.finished(this);
        settled();
    }

    @Override
    public final void giveUpIfOverdue(long nowNanos, long patienceNanos, String problem) {
        boolean unplaced = state == State.UNSENT || state == State.SENT;
        boolean late = limited && nowNanos - waitEndNanos > GRACE_NANOS + (waits ? 0 : patienceNanos);
        if (late || (unplaced && !hasPlace && nowNanos - begunNanos > patienceNanos)) {
            abandon(new UnavailableException(problem));
        }
    }
}
