package dev.holdfast.client.watch;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.session.Backoff;
import dev.holdfast.client.session.ErrorMapper;
import dev.holdfast.client.session.Exchange;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A watch at the cluster: how far it has come, and how it goes on.
 *
 * <pre>
 *                 created              no room in the buffer
 *   +-> OPENING ----------> LIVE -----------------------------> PAUSED
 *   |      ^  ^               | |                                 |
 *   |      |  +-- a new stream  +--> RESTING                      |
 *   |      +--- after a pause ----------+  the node gave it up    |
 *   +-------------------------------------- the buffer is empty --+
 *   any --> ENDED   compacted, refused, closed
 * </pre>
 *
 * <p>It opens each time under another number, so that nothing of an earlier opening can be taken for the present one:
 * no event comes twice. It always opens where the last response that was taken ended, so none is missing, and a
 * revision is taken as a whole or not at all.
 *
 * <p>Confined to the session's executor.
 */
final class ClusterWatch implements Exchange {
    private final Session session;
    private final Watches watches;
    private final WatchOptions options;
    private final WatchBuffer buffer;
    private final Backoff backoff;
    private final long begunNanos;
    private final CompletableFuture<Boolean> created = new CompletableFuture<>();
    private State state = State.OPENING;
    private long number;
    private long next;
    private volatile long epoch;
    private long heardNanos;

    private enum State {
        OPENING,
        LIVE,
        PAUSED,
        RESTING,
        ENDED
    }

    /**
     * A watch that is not open yet.
     *
     * @param readable told when there is something in the buffer
     */
    ClusterWatch(Session session, Watches watches, WatchOptions options, Runnable readable) {
        this.session = session;
        this.watches = watches;
        this.options = options;
        this.next = options.from();
        this.epoch = options.epoch();
        this.backoff = session.backoff();
        this.begunNanos = session.now();
        this.buffer = new WatchBuffer(() -> session.execute(this::goOn), readable);
        buffer.startAt(next);
    }

    WatchBuffer buffer() {
        return buffer;
    }

    /** Completes when the cluster watches for the first time, or has refused to. */
    CompletableFuture<Boolean> created() {
        return created;
    }

    /** An event as its reader sees it. */
    WatchEvent read(WatchBuffer.Taken taken) {
        return EventMapper.read(taken.event(), new Cursor(epoch, taken.behind()));
    }

    /** The cursor of a reader that has everything below a revision. */
    String cursorBefore(long revision) {
        return new Cursor(epoch, revision - 1).toString();
    }

    long number() {
        return number;
    }

    // Opening ----------------------------------------------------------------------------------------

    @Override
    public boolean isWanted() {
        return state == State.OPENING;
    }

    @Override
    public void write(ClientMessage.Builder message) {
        number = watches.renumber(this);
        WatchRequest.Builder request = WatchRequest.newBuilder()
                .setWatchId(number)
                .setKey(options.key())
                .setPrefix(options.prefix())
                .setPrevKv(options.previous())
                .setAllEvents(options.allEvents())
                .setProgressNotify(true)
                .setStartRevision(next);
        if (epoch != WatchOptions.NO_EPOCH) {
            request.setStartEpoch(epoch);
        }
        message.setWatch(request);
    }

    @Override
    public void answered(ServerMessage answer, long sentNanos) {
        WatchResponse response = answer.getWatch();
        if (state != State.OPENING) {
            return;
        }
        if (response.getCanceled()) {
            cancelled(response);
            return;
        }
        state = State.LIVE;
        heardNanos = session.now();
        backoff.reset();
        if (!created.isDone()) {
            epoch = response.getHeader().getEpoch();
            next = response.getResumeRevision();
            buffer.startAt(next);
            created.complete(true);
        }
    }

    @Override
    public void refused(Error error) {
        fail(() -> ErrorMapper.exception(error));
    }

    @Override
    public void giveUpIfOverdue(long nowNanos, long patienceNanos, String problem) {
        if (!created.isDone() && nowNanos - begunNanos > patienceNanos) {
            fail(() -> new UnavailableException(problem));
        }
    }

    // Going on ---------------------------------------------------------------------------------------

    /** Something came under its present number. */
    void received(WatchResponse response) {
        heardNanos = session.now();
        if (response.getCanceled()) {
            cancelled(response);
        } else if (buffer.add(response.getEventsList(), response.getResumeRevision())) {
            next = response.getResumeRevision();
        } else {
            state = State.PAUSED;
            watches.cancel(this);
        }
    }

    private void cancelled(WatchResponse response) {
        Error error = response.getError();
        if (response.getCompactRevision() > 0) {
            long present = response.getHeader().getEpoch();
            fail(() -> new CompactedException(
                    error.getMessage(),
                    new Cursor(present, response.getHeader().getRevision()).toString(),
                    new Cursor(present, response.getCompactRevision() - 1).toString()));
        } else if (ErrorMapper.isTemporary(error)) {
            // This node is behind, or lost patience with the connection.
            state = State.RESTING;
            session.later(backoff.next(), this::goOn);
        } else {
            refused(error);
        }
    }

    /** Opens it again. */
    private void goOn() {
        if (state == State.PAUSED || state == State.RESTING) {
            state = State.OPENING;
            session.submit(this);
        }
    }

    /** There is a new stream; whether this has to be opened on it. What is on its way goes by itself. */
    boolean reopens() {
        if (state != State.LIVE) {
            return false;
        }
        state = State.OPENING;
        return true;
    }

    /** Whether it was to be heard of, and was not, since a moment. */
    boolean isSilentSince(long nanos) {
        return state == State.LIVE && heardNanos - nanos < 0;
    }

    // The end ----------------------------------------------------------------------------------------

    private void fail(Supplier<? extends RuntimeException> failure) {
        if (end()) {
            created.completeExceptionally(failure.get());
            buffer.fail(failure);
        }
    }

    /** The cluster will not have this client. */
    void barred(RuntimeException refusal) {
        fail(() -> refusal);
    }

    /** The client is closed, and the stream with it. */
    void clientClosed() {
        if (end()) {
            created.completeExceptionally(new UnavailableException("the client is closed"));
            buffer.close(() -> new UnavailableException("the client is closed"));
        }
    }

    /** Nobody reads it any more. */
    void leave() {
        boolean known = state == State.OPENING || state == State.LIVE;
        if (known && number != 0) {
            watches.cancel(this);
        }
        end();
    }

    private boolean end() {
        if (state == State.ENDED) {
            return false;
        }
        state = State.ENDED;
        watches.ended(this);
        return true;
    }
}
