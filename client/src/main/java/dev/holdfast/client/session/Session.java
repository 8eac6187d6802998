package dev.holdfast.client.session;

import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.network.Network;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.client.time.Timers;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's session with a cluster, over one stream: time, sending, callbacks, and the end of it all.
 *
 * <p>What the client does over it belongs to the session's {@link SessionPart parts}. All state, theirs included, is
 * touched on the session's {@link SerialExecutor} alone.
 */
public final class Session implements Connection.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final SessionContext context;
    private final Connection connection;
    private final UnaryCalls calls;
    private final SessionEvents events;
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private List<SessionPart> parts;
    private @Nullable HoldfastException barred;
    private boolean closing;

    /**
     * Makes a session; nothing is sent before something is asked for.
     *
     * @param spare runs the rest of the session's tasks when the thread that runs them has run many
     */
    public Session(
            SessionSettings settings,
            List<String> endpoints,
            Network network,
            ElapsedClock clock,
            Timers timers,
            SerialExecutor.SpareThread spare,
            Executor callbacks,
            RandomGenerator random,
            SessionEvents events) {
        SerialExecutor executor = new SerialExecutor(this::flush, spare);
        this.context = new SessionContext(settings, network, clock, timers, executor, callbacks, random);
        this.connection = new Connection(context, new Endpoints(endpoints, random.nextInt(endpoints.size())), this);
        this.calls = new UnaryCalls(this);
        this.events = events;
        this.parts = List.of(calls);
    }

    /**
     * Says what this session is used for, before it is used: on a new stream the parts speak in this order, and they
     * are closed in the reverse order.
     */
    public void use(List<? extends SessionPart> users) {
        List<SessionPart> all = new ArrayList<>(users);
        all.add(calls);
        parts = List.copyOf(all);
    }

    /** Calls outside the stream. */
    public UnaryCalls calls() {
        return calls;
    }

    // Time, threads and chance -----------------------------------------------------------------------

    /** Runs a task on the session's executor. */
    public void execute(Runnable task) {
        context.executor().run(task);
    }

    /** Runs a task on the session's executor after a delay. */
    public void later(long nanos, Runnable task) {
        var unused = context.timers().schedule(nanos, () -> execute(task));
    }

    public long now() {
        return context.clock().now();
    }

    public ElapsedClock clock() {
        return context.clock();
    }

    public SessionSettings settings() {
        return context.settings();
    }

    /** The name under which the cluster shows this client. */
    public String clientId() {
        return settings().clientId();
    }

    public SessionEvents events() {
        return events;
    }

    public Executor callbacks() {
        return context.callbacks();
    }

    /** Runs a user's code on a callback thread. */
    public void callBack(Runnable task) {
        context.callbacks().execute(() -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.warn("a listener failed", e);
            }
        });
    }

    /** Makes a queue of callbacks that run in order. */
    public CallbackQueue callbackQueue() {
        return new CallbackQueue(this);
    }

    /** Pauses for something that is tried again. */
    public Backoff backoff() {
        return new Backoff(settings(), context.random());
    }

    /** A positive number that nobody can guess. */
    public long secretId() {
        return (context.random().nextLong() & Long.MAX_VALUE) | 1;
    }

    // Sending ----------------------------------------------------------------------------------------

    public void submit(Exchange exchange) {
        connection.submit(exchange);
    }

    /** Sends a message ahead of those that wait to be sent. */
    public void submitFirst(Exchange exchange) {
        connection.submitFirst(List.of(exchange));
    }

    Network network() {
        return context.network();
    }

    String currentEndpoint() {
        return connection.endpoint();
    }

    List<String> endpoints() {
        return connection.endpoints();
    }

    public boolean isConnected() {
        return connection.isReady();
    }

    /** Leaves the stream for another, if there is one: it cannot be trusted. */
    public void reconnect() {
        if (connection.isReady()) {
            connection.again();
        }
    }

    /** What keeps the cluster from answering, for people. */
    public String problem() {
        return connection.problem();
    }

    /** Why nothing can be asked for any more; null while it can. */
    public @Nullable HoldfastException refusal() {
        return closing ? clientClosed() : barred;
    }

    /** What whoever uses a closed client is told. */
    public static UnavailableException clientClosed() {
        return new UnavailableException("the client is closed");
    }

    // The end ----------------------------------------------------------------------------------------

    /** Gives everything back; completes when the cluster has confirmed it, or cannot be reached. */
    public CompletableFuture<Boolean> close() {
        execute(this::closeNow);
        return closed;
    }

    private void closeNow() {
        if (closing) {
            return;
        }
        closing = true;
        List<SessionPart> lastFirst = new ArrayList<>(parts);
        Collections.reverse(lastFirst);
        lastFirst.forEach(SessionPart::close);
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

    private void flush() {
        parts.forEach(SessionPart::beforeSending);
        connection.flush();
        finishIfClosed();
    }

    // What the connection tells ----------------------------------------------------------------------

    @Override
    public void connected() {
        List<Exchange> first = new ArrayList<>();
        parts.forEach(part -> first.addAll(part.toRepeat()));
        connection.submitFirst(first);
        events.connected();
    }

    @Override
    public void pushed(ServerMessage message) {
        parts.forEach(part -> part.pushed(message));
    }

    @Override
    public void barred(Error error) {
        HoldfastException refusal = ErrorMapper.exception(error);
        barred = refusal;
        parts.forEach(part -> part.barred(error, refusal));
        connection.forEachUnanswered(exchange -> exchange.refused(error));
        connection.close();
    }

    @Override
    public boolean isListening() {
        return parts.stream().anyMatch(SessionPart::isListening);
    }

    @Override
    public void look() {
        long now = now();
        long patience = settings().patienceNanos();
        String problem = connection.problem();
        connection.forEachUnanswered(exchange -> exchange.giveUpIfOverdue(now, patience, problem));
        parts.forEach(part -> part.look(now, patience, problem));
        clock().look();
    }
}
