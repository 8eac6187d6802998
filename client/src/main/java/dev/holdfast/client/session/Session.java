package dev.holdfast.client.session;

import dev.holdfast.client.Grant;
import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.Loss;
import dev.holdfast.client.UnavailableException;
import dev.holdfast.client.network.Network;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.client.time.Timers;
import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything one client has going on with a cluster, over one stream.
 *
 * <p>There is one lease for all locks that ask for none of their own. It is asked for in the same frame as the first
 * lock, so it costs no round trip; when nothing has hung on it for as long as it lives, it is given back, so an idle
 * client costs the cluster nothing.
 *
 * <p>All state is touched in {@link Turns} alone.
 */
public final class Session implements Connection.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final SessionParts parts;
    private final Connection connection;
    private final Renewal renewal = new Renewal(this);
    private final Watching watching;
    private final Asking asking;
    private final SessionEvents events;
    private final Map<Long, ClientLease> leases = new LinkedHashMap<>();
    private final Deque<Acquiring> backlog = new ArrayDeque<>();
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private @Nullable ClientLease shared;
    private @Nullable HoldfastException barred;
    private ClusterMoment latest = ClusterMoment.NONE;
    private boolean closing;

    /**
     * A session; nothing is sent before something is asked for.
     *
     * @param spare goes on with a turn that has taken long
     */
    public Session(
            SessionSettings settings,
            List<String> endpoints,
            Network network,
            ElapsedClock clock,
            Timers timers,
            Turns.Spare spare,
            Executor callbacks,
            RandomGenerator random,
            SessionEvents events) {
        Turns turns = new Turns(this::flush, spare);
        this.parts = new SessionParts(settings, network, clock, timers, turns, callbacks, random);
        this.connection = new Connection(parts, new Endpoints(endpoints, random.nextInt(endpoints.size())), this);
        this.watching = new Watching(this);
        this.asking = new Asking(this);
        this.events = events;
    }

    // What users ask for -----------------------------------------------------------------------------

    /** Begins to acquire. */
    public Acquiring acquire(Wish wish) {
        Acquiring acquiring = new Acquiring(this, wish);
        turn(() -> begin(acquiring));
        return acquiring;
    }

    private void begin(Acquiring acquiring) {
        HoldfastException refusal = refusal();
        if (refusal != null) {
            acquiring.fail(refusal);
            return;
        }
        Wish wish = acquiring.wish();
        if (wish.leaseMillis() > 0 || wish.lockDelayMillis() > 0) {
            long ttl = wish.leaseMillis() > 0 ? wish.leaseMillis() : settings().ttlMillis();
            send(acquiring, start(ttl, wish.lockDelayMillis(), true));
            return;
        }
        ClientLease lease = shared;
        if (lease == null) {
            lease = start(settings().ttlMillis(), settings().lockDelay().toMillis(), false);
            shared = lease;
        }
        if (lease.hasRoom()) {
            send(acquiring, lease);
        } else {
            backlog.add(acquiring);
        }
    }

    private void send(Acquiring acquiring, ClientLease lease) {
        Request request = new AcquireRequest(this, lease, acquiring.wish());
        acquiring.goesBy(request);
        submit(request);
    }

    private ClientLease start(long ttlMillis, long lockDelayMillis, boolean single) {
        // Unguessable: whoever knows the id has the lease.
        long id = (parts.random().nextLong() & Long.MAX_VALUE) | 1;
        ClientLease lease = new ClientLease(this, id, ttlMillis, lockDelayMillis, single);
        leases.put(id, lease);
        submit(lease);
        return lease;
    }

    @Nullable
    HoldfastException refusal() {
        return closing ? new UnavailableException("the client is closed") : barred;
    }

    /** Goes on with a grant that was exported. */
    public CompletableFuture<Grant> adopt(GrantText text) {
        CompletableFuture<Grant> reply = new CompletableFuture<>();
        turn(() -> {
            HoldfastException refusal = refusal();
            if (refusal != null) {
                reply.completeExceptionally(refusal);
            } else {
                Adoption adoption = new Adoption(this, text, reply);
                Replies.then(reply, (grant, failure) -> {
                    if (failure != null) {
                        turn(adoption.lease()::handedOver); // nobody waits for it any more: it is left as it was
                    }
                });
                leases.put(adoption.lease().id(), adoption.lease());
                submit(adoption);
            }
        });
        return reply;
    }

    /** As {@link #adopt}, and waits for it. */
    public Grant awaitAdopted(GrantText text) throws InterruptedException {
        return Waiting.interruptibly(adopt(text));
    }

    /** The watches of this session. */
    public Watching watching() {
        return watching;
    }

    /** Questions outside the stream. */
    public Asking asking() {
        return asking;
    }

    /** A new order of callbacks. */
    public Serial serial() {
        return new Serial(this);
    }

    /** How a grant was lost; empty while it is not known to be, and for one that was released. */
    public Optional<Loss> lossOf(Grant grant) {
        return grant instanceof HeldGrant held ? held.loss() : Optional.empty();
    }

    /** Gives everything back; completes when the cluster has confirmed it, or cannot be reached. */
    public CompletableFuture<Boolean> close() {
        turn(this::closeNow);
        return closed;
    }

    private void closeNow() {
        if (closing) {
            return;
        }
        closing = true;
        watching.close();
        asking.fail(new UnavailableException("the client is closed"));
        backlog.forEach(acquiring -> acquiring.fail(new UnavailableException("the client is closed")));
        backlog.clear();
        List<ClientLease> open = new ArrayList<>(leases.values());
        for (ClientLease lease : open) {
            lease.end(
                    new Loss(Loss.Reason.SESSION_CLOSED, "the client was closed"),
                    new UnavailableException("the client is closed"));
            revoke(lease);
        }
        finishIfClosed();
    }

    private void finishIfClosed() {
        if (closing && !closed.isDone()) {
            boolean[] pending = {false};
            connection.forEachUnanswered(exchange -> pending[0] |= exchange.isWanted());
            if (!pending[0]) {
                connection.close();
                closed.complete(true);
            }
        }
    }

    // What the parts of the session ask for ----------------------------------------------------------

    void turn(Runnable task) {
        parts.turns().run(task);
    }

    void later(long nanos, Runnable task) {
        var unused = parts.timers().schedule(nanos, () -> turn(task));
    }

    long now() {
        return parts.clock().now();
    }

    ElapsedClock clock() {
        return parts.clock();
    }

    SessionSettings settings() {
        return parts.settings();
    }

    /** Who this client is, for people. */
    public String clientId() {
        return settings().clientId();
    }

    Network network() {
        return parts.network();
    }

    String currentEndpoint() {
        return connection.endpoint();
    }

    List<String> endpoints() {
        return connection.endpoints();
    }

    /** Pauses for something new. */
    Backoff backoff() {
        return new Backoff(settings(), parts.random());
    }

    List<Long> waitingLeases() {
        return leases.values().stream()
                .filter(ClientLease::isAsking)
                .map(ClientLease::id)
                .toList();
    }

    Executor callbacks() {
        return parts.callbacks();
    }

    /** Runs a user's code, on a thread that nothing else depends on. */
    public void callBack(Runnable task) {
        parts.callbacks().execute(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.warn("a listener failed", e);
            }
        });
    }

    void submit(Exchange exchange) {
        connection.submit(exchange);
    }

    void renew(ClientLease lease) {
        if (renewal.add(lease)) {
            // Ahead of what has piled up: a thousand new requests must not cost what is held.
            connection.submitFirst(List.of(renewal.next()));
        }
    }

    /** Ends a lease at the cluster: asked until it is certain. */
    void revoke(ClientLease lease) {
        submit(new Ask<>(
                now(),
                true,
                message ->
                        message.setLeaseRevoke(LeaseRevokeRequest.newBuilder().setId(lease.id())),
                answer -> true,
                error -> true));
    }

    void suspectConnection() {
        if (connection.isReady()) {
            connection.again();
        }
    }

    String problem() {
        return connection.problem();
    }

    void ended(ClientLease lease) {
        leases.remove(lease.id());
        if (shared == lease) {
            shared = null;
        }
    }

    void confirmed(long leaseId, long sentNanos, long clusterMillis, long endMillis) {
        ClientLease lease = leases.get(leaseId);
        if (lease != null) {
            lease.confirmed(sentNanos, clusterMillis, endMillis);
        }
    }

    /** A moment at which the cluster's clock is known to have shown no more than this. */
    void heard(long sentNanos, long clusterMillis) {
        latest = latest.or(sentNanos, clusterMillis);
    }

    /** Until when something may be believed in that ends at a cluster time. */
    long deadline(long endMillis, long ttlMillis) {
        return latest.deadline(endMillis, ttlMillis);
    }

    SessionEvents events() {
        return events;
    }

    private void flush() {
        ClientLease lease = shared;
        while (!backlog.isEmpty() && (lease == null || lease.hasRoom())) {
            Acquiring next = backlog.remove();
            if (!next.isOver()) {
                begin(next);
            }
            lease = shared;
        }
        connection.flush();
        finishIfClosed();
    }

    // What the connection tells ----------------------------------------------------------------------

    @Override
    public void connected() {
        List<Exchange> first = new ArrayList<>();
        for (ClientLease lease : leases.values()) {
            if (lease.isLive()) {
                first.add(attachment(lease));
                if (renewal.add(lease)) {
                    first.add(renewal.next());
                }
                first.addAll(lease.toRepeat());
            }
        }
        first.addAll(watching.toRepeat());
        connection.submitFirst(first);
        events.connected();
    }

    private Exchange attachment(ClientLease lease) {
        Set<Long> before = lease.tokens();
        return new Ask<>(
                now(),
                true,
                message -> message.setAttach(Attach.newBuilder().setLeaseId(lease.id())),
                answer -> {
                    lease.attached(answer.getAttached(), before);
                    return true;
                },
                error -> true);
    }

    @Override
    public void pushed(ServerMessage message) {
        ClientLease lease = leases.get(message.getLeaseId());
        switch (message.getBodyCase()) {
            case LOCK, ERROR -> {
                if (lease != null) {
                    lease.pushed(message);
                }
            }
            case GRANT_ENDED -> {
                if (lease != null) {
                    lease.lost(message.getGrantEnded().getFencingToken(), Losses.of(message.getGrantEnded()));
                }
            }
            case LEASE_ENDED -> {
                if (lease != null) {
                    Loss loss = Losses.of(message.getLeaseEnded().getReason(), "");
                    lease.end(loss, new UnavailableException("the session has ended: " + loss.reason()));
                }
            }
            case WATCH -> watching.received(message.getWatch());
            default -> {} // an answer to what nobody waits for any more
        }
    }

    @Override
    public void barred(Error error) {
        HoldfastException refusal = Refusal.exception(error);
        barred = refusal;
        List.copyOf(leases.values())
                .forEach(lease -> lease.end(new Loss(Loss.Reason.REVOKED, error.getMessage()), refusal));
        backlog.forEach(acquiring -> acquiring.fail(refusal));
        backlog.clear();
        connection.forEachUnanswered(exchange -> exchange.refused(error));
        connection.close();
        watching.fail(refusal);
        asking.fail(refusal);
    }

    @Override
    public boolean isListening() {
        return !leases.isEmpty() || watching.isOpen();
    }

    @Override
    public void look() {
        long now = now();
        long patience = settings().patienceNanos();
        String problem = connection.problem();
        connection.forEachUnanswered(exchange -> {
            if (exchange instanceof Impatient impatient) {
                impatient.look(now, patience, problem);
            }
        });
        if (!connection.isReady()) {
            List.copyOf(leases.values()).forEach(lease -> lease.look(now, patience, problem));
        }
        if (connection.isReady() && watching.isSilent(now)) {
            connection.again();
        }
        clock().look();
    }
}
