package dev.holdfast.client.session;

import dev.holdfast.client.network.Network;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One stream to the cluster, to the leader if it can be found, and another when that one ends.
 *
 * <pre>
 *            needed            welcome                 the stream ends, or is silent
 *   CLOSED ---------> GREETING ---------> READY ------------------------------------+
 *                        ^  |  not the leader: on to it                             |
 *                        |  +-----------------------------+                         |
 *                        |          after a pause         v                         |
 *                        +---------------------------- RESTING <--------------------+
 * </pre>
 *
 * <p>Confined to the session's executor.
 */
final class Connection {
    /** Below what a server takes in one frame. */
    private static final int FRAME_BYTES = 48 * 1024;

    private static final int FRAME_MESSAGES = 1_000;

    /** Whoever is slow, and not dead, is given more time after each stream that was left for its silence. */
    private static final int MAX_DOUBLINGS = 3;

    private final SessionContext context;
    private final Endpoints endpoints;
    private final Owner owner;
    private final Backoff backoff;
    private final Deque<Exchange> outbox = new ArrayDeque<>();
    private final Map<Long, Sent> inFlight = new LinkedHashMap<>();
    private final List<Exchange> refusedForNow = new ArrayList<>();
    private State state = State.CLOSED;
    private Network.@Nullable Line line;
    private long streams;
    private long lastId;
    private long helloId;
    private long cluster;
    private long heardNanos;
    private int silences;
    private String said = "";
    private String problem = "";
    private boolean looking;
    private boolean retrying;
    private boolean writing;

    private enum State {
        CLOSED,
        GREETING,
        READY,
        RESTING
    }

    private record Sent(Exchange exchange, long nanos) {}

    /** Whose messages these are. */
    interface Owner {
        /** A stream is open; what has no answer yet goes out after what is put first now. */
        void connected();

        /** Something came that no message asked for. */
        void pushed(ServerMessage message);

        /** The cluster will not have this client. */
        void barred(Error error);

        /** Whether a stream is needed though nothing is to be sent. */
        boolean isListening();

        /** Time to see what has waited too long. */
        void look();
    }

    Connection(SessionContext context, Endpoints endpoints, Owner owner) {
        this.context = context;
        this.endpoints = endpoints;
        this.owner = owner;
        this.backoff = new Backoff(context.settings(), context.random());
    }

    /** Sends a message, as soon as there is a way. */
    void submit(Exchange exchange) {
        outbox.add(exchange);
        need();
    }

    /** Puts messages before all others. */
    void submitFirst(List<? extends Exchange> exchanges) {
        for (ListIterator<? extends Exchange> i = exchanges.listIterator(exchanges.size()); i.hasPrevious(); ) {
            outbox.addFirst(i.previous());
        }
        need();
    }

    /** Opens a stream if there is none. */
    void need() {
        if (state == State.CLOSED) {
            open();
        }
        keepLooking();
    }

    boolean isReady() {
        return state == State.READY;
    }

    /** Where questions outside the stream go. */
    String endpoint() {
        return endpoints.current();
    }

    /** All known nodes. */
    List<String> endpoints() {
        return endpoints.all();
    }

    /** What stands in the way, for people: what a node said of it, and what became of the last stream. */
    String problem() {
        if (said.isEmpty() && problem.isEmpty()) {
            return "none of " + endpoints.count() + " known nodes answered (" + String.join(", ", endpoints.all())
                    + "); check the addresses and that the nodes run";
        }
        return said.isEmpty() || problem.isEmpty() ? said + problem : said + "; " + problem;
    }

    /** Has sent what has piled up, and what piles up until it is written. */
    void flush() {
        if (state == State.READY && !outbox.isEmpty() && !writing) {
            writing = true;
            context.network().beforeWriting(() -> context.executor().run(this::write));
        }
    }

    private void write() {
        writing = false;
        Network.Line open = line;
        if (state != State.READY || open == null) {
            return;
        }
        while (!outbox.isEmpty()) {
            ClientFrame.Builder frame = ClientFrame.newBuilder();
            long now = context.clock().now();
            int bytes = 0;
            while (!outbox.isEmpty() && bytes < FRAME_BYTES && frame.getMessagesCount() < FRAME_MESSAGES) {
                Exchange exchange = outbox.remove();
                if (exchange.isWanted()) {
                    ClientMessage.Builder message = ClientMessage.newBuilder().setId(++lastId);
                    exchange.write(message);
                    ClientMessage built = message.build();
                    bytes += built.getSerializedSize();
                    inFlight.put(lastId, new Sent(exchange, now));
                    frame.addMessages(built);
                }
            }
            if (frame.getMessagesCount() > 0) {
                open.send(frame.build());
            }
        }
    }

    private void open() {
        state = State.GREETING;
        long stream = ++streams;
        heardNanos = context.clock().now();
        Network.Line opened = context.network().open(endpoints.current(), new Network.Receiver() {
            @Override
            public void received(ServerFrame frame) {
                context.executor().run(() -> Connection.this.received(stream, frame));
            }

            @Override
            public void ended(Throwable cause) {
                context.executor().run(() -> Connection.this.ended(stream, cause));
            }
        });
        line = opened;
        helloId = ++lastId;
        opened.send(ClientFrame.newBuilder()
                .addMessages(ClientMessage.newBuilder()
                        .setId(helloId)
                        .setHello(Hello.newBuilder()
                                .setClientId(context.settings().clientId())
                                .setClusterId(cluster)))
                .build());
        keepLooking();
    }

    private void received(long stream, ServerFrame frame) {
        if (stream != streams) {
            return; // of a stream that was left
        }
        heardNanos = context.clock().now();
        for (ServerMessage message : frame.getMessagesList()) {
            if (stream != streams) {
                return;
            }
            if (message.getId() == 0) {
                unasked(message);
            } else if (message.getId() == helloId) {
                welcomed(message, frame.getHeader().getLeader());
            } else {
                answered(message);
            }
        }
    }

    private void welcomed(ServerMessage message, String leader) {
        if (message.hasError()) {
            ended(streams, Errors.toException(message.getError()));
            return;
        }
        endpoints.learn(message.getWelcome().getMembersList());
        if (!message.getWelcome().getLeader() && !leader.isEmpty()) {
            endpoints.hint(leader);
            if (endpoints.hop()) {
                leave();
                open();
                return;
            }
        }
        cluster = message.getWelcome().getClusterId();
        state = State.READY;
        endpoints.settled();
        backoff.reset();
        owner.connected();
    }

    private void unasked(ServerMessage message) {
        if (!message.hasMove()) {
            owner.pushed(message);
            return;
        }
        String leader = message.getMove().getLeader();
        if (!leader.isEmpty()) {
            endpoints.hint(leader);
        }
        if (leader.isEmpty() || !leader.equals(endpoints.current())) {
            problem = endpoints.current() + ": " + message.getMove().getReason();
            again();
        }
    }

    private void answered(ServerMessage message) {
        Sent sent = inFlight.remove(message.getId());
        if (sent == null) {
            owner.pushed(message); // a watch goes on under the id that began it
            return;
        }
        if (!message.hasError()) {
            said = "";
            problem = "";
            silences = 0;
            backoff.reset();
            sent.exchange().answered(message, sent.nanos());
        } else if (ErrorMapper.isTemporary(message.getError())
                || sent.exchange().mayPass(message.getError())) {
            postpone(sent.exchange(), message.getError());
        } else {
            sent.exchange().refused(message.getError());
        }
    }

    private void postpone(Exchange exchange, Error error) {
        said = error.getCode() + ": " + error.getMessage();
        refusedForNow.add(exchange);
        if (!retrying) {
            retrying = true;
            long pause = Math.max(backoff.next(), error.getRetryAfterMs() * 1_000_000);
            later(pause, () -> {
                retrying = false;
                List<Exchange> retried = List.copyOf(refusedForNow);
                refusedForNow.clear();
                submitFirst(retried);
            });
        }
    }

    private void ended(long stream, Throwable cause) {
        if (stream != streams) {
            return;
        }
        Error error = Errors.refusalOf(cause).orElse(Error.getDefaultInstance());
        problem = endpoints.current() + ": "
                + (error.getCode() == Code.OK ? Errors.line(cause) : error.getCode() + ": " + error.getMessage());
        if (!error.getLeader().isEmpty()) {
            endpoints.hint(error.getLeader());
        }
        switch (error.getCode()) {
            case UNAUTHENTICATED, PERMISSION_DENIED, WRONG_CLUSTER -> {
                leave();
                state = State.CLOSED;
                owner.barred(error);
            }
            default -> again();
        }
    }

    /** Leaves this stream, and opens one to another node after a pause. */
    void again() {
        leave();
        endpoints.failed();
        state = State.RESTING;
        long stream = streams;
        later(backoff.next(), () -> {
            if (stream != streams || state != State.RESTING) {
                return;
            }
            if (isIdle()) {
                state = State.CLOSED;
            } else {
                open();
            }
        });
    }

    private boolean isIdle() {
        return outbox.isEmpty() && refusedForNow.isEmpty() && !owner.isListening();
    }

    private void leave() {
        Network.Line left = line;
        line = null;
        streams++;
        if (left != null) {
            left.close();
        }
        List<Exchange> unanswered =
                inFlight.values().stream().map(Sent::exchange).toList();
        inFlight.clear();
        for (ListIterator<Exchange> i = unanswered.listIterator(unanswered.size()); i.hasPrevious(); ) {
            outbox.addFirst(i.previous());
        }
    }

    private void later(long nanos, Runnable task) {
        var unused = context.timers().schedule(nanos, () -> context.executor().run(task));
    }

    /** While something is without an answer, looks now and then whether that has been so for too long. */
    private void keepLooking() {
        if (!looking) {
            looking = true;
            later(context.settings().lookNanos(), () -> {
                looking = false;
                look();
                if (!outbox.isEmpty() || !inFlight.isEmpty() || !refusedForNow.isEmpty() || owner.isListening()) {
                    keepLooking();
                }
            });
        }
    }

    private void look() {
        owner.look();
        long now = context.clock().now();
        boolean asked = state == State.GREETING || !inFlight.isEmpty();
        long since = inFlight.isEmpty()
                ? heardNanos
                : Math.max(heardNanos, inFlight.values().iterator().next().nanos());
        long silence = state == State.GREETING
                ? context.settings().greetingNanos()
                : context.settings().silenceNanos();
        if (asked && line != null && now - since > silence << Math.min(silences, MAX_DOUBLINGS)) {
            problem = endpoints.current() + " does not answer";
            silences++;
            again();
        }
    }

    /** Everything that has no answer, in the order of sending. */
    void forEachUnanswered(Consumer<Exchange> visitor) {
        List<Exchange> all = new ArrayList<>(inFlight.size() + outbox.size() + refusedForNow.size());
        inFlight.values().forEach(sent -> all.add(sent.exchange()));
        all.addAll(refusedForNow);
        all.addAll(outbox);
        all.forEach(visitor);
    }

    void close() {
        leave();
        outbox.clear();
        refusedForNow.clear();
        state = State.CLOSED;
    }
}
