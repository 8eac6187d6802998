package dev.holdfast.server.edge;

import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Stamp;
import dev.holdfast.server.watch.WatchHub;
import dev.holdfast.server.watch.WatchHub.Read;
import dev.holdfast.server.watch.WatchSpec;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The watches of one stream, by the ids its client gave them.
 *
 * <p>Confined to the stream's event loop. A watch is read only while the stream takes more: one that is not read fills
 * its buffer in the hub, which then closes it, and the client learns where to resume.
 */
public final class Watches {
    public static final int MAX_WATCHES = 1_000;

    /** How many events one read takes, and how many reads one turn of the event loop makes. */
    private static final int MAX_EVENTS = 500;

    private static final int MAX_READS = 16;

    private final WatchHub hub;
    private final LockReplica replica;
    private final Bounds bounds;
    private final Headers headers;
    private final EventMessages messages;
    private final PreviousValues previousValues;
    private final WatchTiming timing;
    private final Caller caller;
    private final EventLoop loop;
    private final Output output;
    private final Map<Long, OpenWatch> byId = new HashMap<>();
    private final Set<OpenWatch> readable = new LinkedHashSet<>();

    /** Where the responses go. */
    public interface Output {
        /** Whether there is room; once there is again, {@link Watches#pump} is called. */
        boolean isReady();

        /** Sends a response, to this message of the client or, for 0, unasked. */
        void send(long messageId, WatchResponse response);
    }

    public Watches(
            NodeParts parts,
            Headers headers,
            EventMessages messages,
            WatchTiming timing,
            Caller caller,
            EventLoop loop,
            Output output) {
        this.hub = parts.watches();
        this.replica = parts.replica();
        this.bounds = new Bounds(replica);
        this.headers = headers;
        this.messages = messages;
        this.previousValues = PreviousValues.in(replica);
        this.timing = timing;
        this.caller = caller;
        this.loop = loop;
        this.output = output;
    }

    /** Starts or ends a watch, and answers. */
    public void handle(long messageId, WatchRequest request) {
        if (request.getCancel()) {
            cancel(messageId, request.getWatchId());
            return;
        }
        try {
            open(messageId, request);
        } catch (Rejected rejected) {
            // Created and canceled at once: a canceled alone would be about the watch that has this id already.
            WatchResponse.Builder refused = WatchResponse.newBuilder()
                    .setHeader(headers.present())
                    .setWatchId(request.getWatchId())
                    .setCreated(true)
                    .setCanceled(true)
                    .setError(rejected.error());
            output.send(messageId, refused.build());
        }
    }

    public int size() {
        return byId.size();
    }

    /** Reads what can be read, a little at a time. */
    public void pump() {
        for (int reads = 0; reads < MAX_READS && !readable.isEmpty() && output.isReady(); reads++) {
            OpenWatch watch = readable.iterator().next();
            readable.remove(watch);
            read(watch);
        }
        if (!readable.isEmpty() && output.isReady()) {
            loop.execute(this::pump);
        }
    }

    public void close() {
        List.copyOf(byId.values()).forEach(this::end);
    }

    private void open(long messageId, WatchRequest request) {
        WatchSpec spec = spec(request);
        requireReadable(spec);
        caller.watchBegins();
        OpenWatch watch = new OpenWatch(request, spec);
        // In one question, so that the header tells the very revision after which the watch begins.
        Stamp stamp = replica.ask(machine -> {
            watch.feed = hub.open(spec, () -> loop.execute(() -> signalled(watch)));
            return headers.stamp();
        });
        byId.put(watch.id(), watch);
        long resume = spec.startRevision() == 0 ? stamp.revision() + 1 : spec.startRevision();
        WatchResponse.Builder created = WatchResponse.newBuilder()
                .setHeader(headers.of(stamp))
                .setWatchId(watch.id())
                .setCreated(true)
                .setResumeRevision(resume);
        output.send(messageId, created.build());
        if (watch.progressNotify()) {
            long millis = timing.progress().toMillis();
            watch.progressTimer =
                    loop.scheduleAtFixedRate(() -> progressDue(watch), millis, millis, TimeUnit.MILLISECONDS);
        }
        signalled(watch);
    }

    private WatchSpec spec(WatchRequest request) {
        if (byId.containsKey(request.getWatchId())) {
            throw Refusals.invalid(
                    "watch_id", 0, request.getWatchId(), request.getWatchId() + " is in use on this stream");
        }
        if (byId.size() >= MAX_WATCHES) {
            throw Refusals.quota("watches on a stream", MAX_WATCHES, byId.size() + 1L);
        }
        if (request.getPrefix()) {
            bounds.text("key", request.getKey(), Limit.KEY_BYTES);
        } else {
            bounds.key("key", request.getKey());
        }
        if (request.getStartRevision() < 0) {
            throw Refusals.invalid(
                    "start_revision", 0, request.getStartRevision(), request.getStartRevision() + " is below 0");
        }
        long epoch = request.hasStartEpoch() ? request.getStartEpoch() : WatchSpec.PRESENT_EPOCH;
        return new WatchSpec(request.getKey(), request.getPrefix(), request.getStartRevision(), epoch);
    }

    /** A prefix may reach beyond what the caller may read: of that, nothing is delivered. */
    private void requireReadable(WatchSpec spec) {
        if (!spec.prefix()) {
            caller.require(Verb.READ, LockKey.of(spec.key()));
        } else {
            caller.requireReadableUnder(spec.key());
        }
    }

    private void cancel(long messageId, long id) {
        OpenWatch watch = byId.get(id);
        WatchResponse.Builder response = WatchResponse.newBuilder()
                .setHeader(headers.present())
                .setWatchId(id)
                .setCanceled(true);
        if (watch == null) {
            response.setError(Refusals.error(Code.NOT_FOUND, "watch_id", 0, id, "watch_id: " + id + " does not exist"));
        } else {
            end(watch);
            response.setResumeRevision(watch.resumeRevision);
        }
        output.send(messageId, response.build());
    }

    private void signalled(OpenWatch watch) {
        if (byId.get(watch.id()) == watch) {
            readable.add(watch);
            pump();
        }
    }

    private void progressDue(OpenWatch watch) {
        watch.progressDue = true;
        signalled(watch);
    }

    private void read(OpenWatch watch) {
        Read read = hub.read(watch.feed(), MAX_EVENTS);
        if (read instanceof Read.Events events) {
            deliver(watch, events);
        } else if (read instanceof Read.Ahead ahead) {
            waitForNode(watch, ahead);
        } else if (read instanceof Read.Compacted compacted) {
            Error.Builder error = Refusals.error(
                    Code.COMPACTED,
                    "start_revision",
                    compacted.oldestRevision(),
                    watch.spec.startRevision(),
                    "revisions below " + compacted.oldestRevision() + " are gone");
            abort(
                    watch,
                    WatchResponse.newBuilder()
                            .setCompactRevision(compacted.oldestRevision())
                            .setError(error));
        } else if (read instanceof Read.Slow slow) {
            Error.Builder error = Refusals.error(
                    Code.UNAVAILABLE,
                    "watch_id",
                    0,
                    watch.id(),
                    "the reader did not keep up; watch again from " + slow.resumeRevision());
            abort(
                    watch,
                    WatchResponse.newBuilder()
                            .setResumeRevision(slow.resumeRevision())
                            .setError(error));
        }
    }

    private void deliver(OpenWatch watch, Read.Events read) {
        WatchResponse.Builder response = WatchResponse.newBuilder();
        PreviousValues previous = watch.previousValues() ? previousValues : PreviousValues.NONE;
        int bytes = 0;
        for (Event event : read.events()) {
            if (!watch.allEvents() && EventMessages.isOther(event)) {
                continue;
            }
            if (bytes > Bounds.MAX_ANSWER_BYTES) {
                send(watch, response, event.revision());
                response = WatchResponse.newBuilder();
                bytes = 0;
            }
            for (var message :
                    messages.of(event, hold -> watch.spec.matches(hold) && caller.mayRead(hold.key()), previous)) {
                bytes += message.getSerializedSize();
                response.addEvents(message);
            }
        }
        if (response.getEventsCount() > 0 || (watch.progressDue && !read.more())) {
            watch.progressDue = false;
            send(watch, response, read.resumeRevision());
        }
        watch.resumeRevision = read.resumeRevision();
        if (read.more()) {
            readable.add(watch);
        }
    }

    private void send(OpenWatch watch, WatchResponse.Builder response, long resumeRevision) {
        output.send(
                0,
                response.setHeader(headers.present())
                        .setWatchId(watch.id())
                        .setResumeRevision(resumeRevision)
                        .build());
    }

    /** The client has seen more than this node, which must catch up: neither a gap nor a repetition. */
    private void waitForNode(OpenWatch watch, Read.Ahead ahead) {
        if (watch.aheadMillis >= timing.patience().toMillis()) {
            Error.Builder error = Refusals.error(
                    Code.UNAVAILABLE,
                    "start_revision",
                    ahead.revision(),
                    watch.spec.startRevision(),
                    "this node has come to revision " + ahead.revision() + " only; watch on another node");
            abort(
                    watch,
                    WatchResponse.newBuilder()
                            .setResumeRevision(watch.spec.startRevision())
                            .setError(error));
            return;
        }
        long millis = timing.retry().toMillis();
        watch.aheadMillis += millis;
        watch.retryTimer = loop.schedule(() -> signalled(watch), millis, TimeUnit.MILLISECONDS);
    }

    private void abort(OpenWatch watch, WatchResponse.Builder response) {
        end(watch);
        output.send(
                0,
                response.setHeader(headers.present())
                        .setWatchId(watch.id())
                        .setCanceled(true)
                        .build());
    }

    private void end(OpenWatch watch) {
        byId.remove(watch.id());
        readable.remove(watch);
        watch.stopTimers();
        caller.watchEnded();
        hub.close(watch.feed());
    }
}
