package dev.holdfast.client.lease;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.session.ErrorMapper;
import dev.holdfast.client.session.Exchange;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.Attached;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A lease as its client knows it: until when it may be believed in, and what hangs on it.
 *
 * <pre>
 *             the cluster grants it              the deadline, or the cluster's word
 *   STARTING ------------------------> LIVE --------------------------------------------> ENDED
 *       |                               |                                                   ^
 *       +-------------------------------+---------------------------------------------------+
 *         refused, not needed any more, handed to another client
 * </pre>
 *
 * <p>Confined to the session's executor, but for {@link #deadline} and {@link #isInJeopardy}. An ended lease is never
 * renewed again: whoever comes next gets another.
 */
public final class ClientLease implements Exchange {
    /** A quarter of what the cluster remembers of unacknowledged requests (its {@code UNACKNOWLEDGED}). */
    private static final int WINDOW = 1_024;

    private final Leases leases;
    private final Session session;
    private final long id;
    private final long ttlMillis;
    private final long lockDelayMillis;
    private final boolean single;
    private final NavigableMap<Long, LeaseRequest<?>> unanswered = new TreeMap<>();
    private final NavigableMap<Long, LeaseRequest<?>> placed = new TreeMap<>();
    private final Map<Long, LeasedGrant> grants = new LinkedHashMap<>();
    private State state = State.STARTING;
    private long lastSeq;
    private long renewalSentNanos;
    private long idleSinceNanos;
    private volatile long acknowledgedNanos;
    private boolean watched;
    private volatile long deadlineNanos;
    private volatile boolean jeopardy;

    private enum State {
        STARTING,
        LIVE,
        ENDED
    }

    /**
     * A lease that is not granted yet.
     *
     * @param single it is of one lock alone and ends with it
     */
    ClientLease(Leases leases, long id, long ttlMillis, long lockDelayMillis, boolean single) {
        this.leases = leases;
        this.session = leases.session();
        this.id = id;
        this.ttlMillis = ttlMillis;
        this.lockDelayMillis = lockDelayMillis;
        this.single = single;
        this.idleSinceNanos = session.now();
    }

    public long id() {
        return id;
    }

    public long ttlMillis() {
        return ttlMillis;
    }

    public long lastSeq() {
        return lastSeq;
    }

    public boolean isSingle() {
        return single;
    }

    public boolean isOver() {
        return state == State.ENDED;
    }

    /** Until when it may be believed in, on the client's clock. */
    public long deadline() {
        return deadlineNanos;
    }

    public boolean isInJeopardy() {
        return jeopardy || session.clock().isInDoubtSince(acknowledgedNanos);
    }

    // Requests ---------------------------------------------------------------------------------------

    /** Takes up a request and gives it its number. */
    long open(LeaseRequest<?> request) {
        long seq = ++lastSeq;
        unanswered.put(seq, request);
        return seq;
    }

    /** Whether another request may be sent before some are answered. */
    public boolean hasRoom() {
        return unanswered.isEmpty() || lastSeq - unanswered.firstKey() < 2 * WINDOW;
    }

    void answered(LeaseRequest<?> request) {
        if (unanswered.remove(request.seq()) != null) {
            placed.put(request.seq(), request);
        }
    }

    void finished(LeaseRequest<?> request) {
        unanswered.remove(request.seq());
        placed.remove(request.seq());
        becameIdle();
    }

    /** Whether something is asked for under it that has not ended. */
    boolean isAsking() {
        return !unanswered.isEmpty() || !placed.isEmpty();
    }

    void numberedFrom(long seq) {
        lastSeq = seq;
    }

    /**
     * Below this number every answer has come. A request that only has its place is counted as unanswered while there
     * is room, so that its end can be asked for again; long waits must not fill the window, though.
     */
    public long ackedBelow() {
        long none = lastSeq + 1;
        long first = unanswered.isEmpty() ? none : unanswered.firstKey();
        long waiting = placed.isEmpty() ? none : placed.firstKey();
        return none - waiting < WINDOW ? Math.min(first, waiting) : first;
    }

    /** The end of a request's wait, or of its upgrade. */
    void pushed(ServerMessage message) {
        LeaseRequest<?> request = placed.getOrDefault(message.getSeq(), unanswered.get(message.getSeq()));
        if (request == null) {
            return;
        }
        if (message.hasError()) {
            request.refused(message.getError());
        } else {
            request.outcome(message.getLock());
        }
    }

    /** What waits on a stream that is gone. */
    List<LeaseRequest<?>> toRepeat() {
        return placed.values().stream().filter(LeaseRequest::isPlaced).toList();
    }

    void look(long nowNanos, long patienceNanos, String problem) {
        List.copyOf(placed.values()).forEach(request -> request.giveUpIfOverdue(nowNanos, patienceNanos, problem));
    }

    // Grants -----------------------------------------------------------------------------------------

    public void holds(LeasedGrant grant) {
        grants.put(grant.token(), grant);
    }

    public void gaveBack(LeasedGrant grant) {
        grants.values().remove(grant);
        becameIdle();
    }

    public void renamed(LeasedGrant grant, long oldToken) {
        grants.remove(oldToken);
        grants.put(grant.token(), grant);
    }

    /** The cluster ended one grant. */
    void lost(long token, Loss loss) {
        LeasedGrant grant = grants.remove(token);
        if (grant != null) {
            grant.lose(loss);
            becameIdle();
            endIfUnused();
        }
    }

    /**
     * A grant was held as long as it may be, and will end at the cluster soon. With a lock-delay that end must be left
     * to the cluster: a lease that is revoked before leaves no delay.
     */
    public void ranOut(long token, Loss loss) {
        LeasedGrant grant = grants.remove(token);
        if (grant != null) {
            grant.lose(loss);
            becameIdle();
            if (lockDelayMillis == 0) {
                endIfUnused();
            }
        }
    }

    // Life -------------------------------------------------------------------------------------------

    /** Asks for the lease. */
    @Override
    public void write(ClientMessage.Builder message) {
        renewalSentNanos = session.now();
        message.setLeaseGrant(LeaseGrantRequest.newBuilder()
                .setId(id)
                .setTtlMs(ttlMillis)
                .setClientId(session.clientId())
                .setLockDelayMs(lockDelayMillis));
    }

    @Override
    public boolean isWanted() {
        return state == State.STARTING;
    }

    @Override
    public void answered(ServerMessage answer, long sentNanos) {
        if (state == State.STARTING) {
            leases.heard(sentNanos, answer.getClusterTimeMs());
            confirmed(
                    sentNanos,
                    answer.getClusterTimeMs(),
                    answer.getLeaseGranted().getEndMs());
        }
    }

    @Override
    public void refused(Error error) {
        end(new Loss(Loss.Reason.EXPIRED, error.getMessage()), ErrorMapper.exception(error));
    }

    boolean isStarting() {
        return state == State.STARTING;
    }

    /** Whether it has to be attached to a new stream. */
    public boolean isLive() {
        return state == State.LIVE;
    }

    /** The cluster says until when it lives: a renewal, or its start. */
    public void confirmed(long sentNanos, long clusterMillis, long endMillis) {
        if (state == State.ENDED) {
            return;
        }
        if (endMillis < 0) {
            endedByCluster("the lease has expired");
            return;
        }
        if (state == State.LIVE && session.now() - deadlineNanos >= 0) {
            check(); // too late: whoever looked has seen it end
            return;
        }
        state = State.LIVE;
        long until = Deadline.of(sentNanos, clusterMillis, endMillis, ttlMillis);
        if (acknowledgedNanos == 0 || until - deadlineNanos > 0) {
            deadlineNanos = until;
        }
        if (acknowledgedNanos == 0 || sentNanos - acknowledgedNanos > 0) {
            acknowledgedNanos = sentNanos;
            jeopardy = false;
        }
        if (!watched) {
            watched = true;
            check();
        }
    }

    /** The lease is on this stream now; what is not among its grants has ended while nobody listened. */
    void attached(Attached attached, Set<Long> before) {
        if (!attached.getExists()) {
            endedByCluster("the lease has expired");
            return;
        }
        Set<Long> held = new HashSet<>(attached.getFencingTokensList());
        Map<Long, LeasedGrant> known = new HashMap<>(grants);
        known.forEach((token, grant) -> {
            if (before.contains(token) && !held.contains(token) && !grant.isChanging()) {
                lost(token, new Loss(Loss.Reason.REVOKED, "ended while the cluster could not be reached"));
            }
        });
    }

    Set<Long> tokens() {
        return new HashSet<>(grants.keySet());
    }

    /** Looks at the time: renews, warns, gives up. Called early or often it does no harm. */
    public void check() {
        if (state != State.LIVE) {
            return;
        }
        long now = session.now();
        if (now - deadlineNanos >= 0) {
            end(
                    new Loss(Loss.Reason.UNREACHABLE, "no answer within the lease; " + session.problem()),
                    new UnavailableException("the session ended without an answer, and its places in queues with it: "
                            + session.problem()));
            if (lockDelayMillis == 0) {
                leases.revoke(this); // with a lock-delay it must expire: it would leave no delay otherwise
            }
            return;
        }
        long ttl = TimeUnit.MILLISECONDS.toNanos(ttlMillis);
        long jeopardyAt = acknowledgedNanos + 2 * ttl / 3;
        boolean silent = now - jeopardyAt >= 0;
        boolean doubtful = session.clock().isInDoubtSince(acknowledgedNanos);
        if (!jeopardy && (silent || doubtful)) {
            jeopardy = true;
            grants.values().forEach(LeasedGrant::warn);
            if (silent) {
                session.reconnect();
            }
        }
        if (isIdle() && now - idleSinceNanos > ttl) {
            end(new Loss(Loss.Reason.SESSION_CLOSED, "not needed"), new UnavailableException("not needed"));
            leases.revoke(this);
            return;
        }
        long renewAt = renewalSentNanos + ttl / 3;
        if (now - renewAt >= 0 || (doubtful && session.clock().isInDoubtSince(renewalSentNanos))) {
            renewalSentNanos = now;
            renewAt = now + ttl / 3;
            leases.renew(this);
        }
        long next = Math.min(renewAt - now, deadlineNanos - now);
        session.later(jeopardy ? next : Math.min(next, jeopardyAt - now), this::check);
    }

    private boolean isIdle() {
        return grants.isEmpty() && !isAsking();
    }

    private void becameIdle() {
        if (isIdle()) {
            idleSinceNanos = session.now();
        }
    }

    /** A lease of one lock ends when there is no lock. */
    public void endIfUnused() {
        if (single && state != State.ENDED && isIdle()) {
            end(new Loss(Loss.Reason.SESSION_CLOSED, "not needed"), new UnavailableException("not needed"));
            leases.revoke(this);
        }
    }

    void endedByCluster(String why) {
        end(
                new Loss(Loss.Reason.EXPIRED, why),
                new UnavailableException("the session has ended, and its places in queues with it: " + why));
    }

    /** Ends it here, with all that hangs on it. */
    void end(Loss loss, HoldfastException failure) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        leases.ended(this);
        List<LeasedGrant> held = new ArrayList<>(grants.values());
        grants.clear();
        held.forEach(grant -> grant.lose(loss));
        List<LeaseRequest<?>> open = new ArrayList<>(unanswered.values());
        open.addAll(placed.values());
        unanswered.clear();
        placed.clear();
        open.forEach(request -> request.fail(failure));
    }

    /** Lets go of it without ending it: somebody else goes on with it. */
    public void handedOver() {
        state = State.ENDED;
        grants.clear();
        leases.ended(this);
    }
}
