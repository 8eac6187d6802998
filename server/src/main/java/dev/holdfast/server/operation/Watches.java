package dev.holdfast.server.operation;

import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.request.Stamp;
import dev.holdfast.server.watch.KeyEvent;
import dev.holdfast.server.watch.KeyEvents;
import dev.holdfast.server.watch.PreviousValues;
import dev.holdfast.server.watch.WatchHub;
import dev.holdfast.server.watch.WatchRead;
import dev.holdfast.server.watch.WatchReader;
import dev.holdfast.server.watch.WatchSpec;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one stream, by the ids its client gave them.
 *
 * <p>Confined to the stream's event loop. A watch is read when the hub gives its stream a turn, and only while the stream
 * takes more: if too much waits for one that is not read, the hub drops it, and the client learns where to resume.
 */
public final class Watches {
    public static final int MAX_WATCHES = 1_000;

    /** How many events one read takes. */
    private static final int MAX_EVENTS = 128;

    private final WatchHub hub;
    private final LockReplica replica;
    private final Bounds bounds;
    private final KeyEvents keyEvents;
    private final Timing timing;
    private final Caller caller;
    private final EventLoop loop;
    private final Output output;
    private final Map<Long, OpenWatch> byId = new HashMap<>();
    private final Set<OpenWatch> readable = new LinkedHashSet<>();
    private @Nullable WatchReader reader;
    private @Nullable Future<?> progressTimer;

    /**
     * A watch as its reader asks for it.
     *
     * @param id what it is called on its stream
     * @param allEvents waits as well, and not only what changes who holds a key
     * @param previousValues with each event the key as it was before, as far as that is known
     * @param progressNotify tells now and then how far it has come, even if nothing happens
     */
    public record Options(long id, WatchSpec spec, boolean allEvents, boolean previousValues, boolean progressNotify) {}

    /**
     * When watches do something without being asked.
     *
     * @param progress how often a watch that wants it says how far it has come
     * @param retry how often a watch that starts ahead of this node looks again
     * @param patience how long it does so
     */
    public record Timing(Duration progress, Duration retry, Duration patience) {
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofSeconds(2));
    }

    /** Where the updates go. */
    public interface Output {
        /** Whether there is room; once there is again, {@link Watches#pump} is called. */
        boolean isReady();

        /** Sends an update, as the answer to this message of the client or, for 0, unasked. */
        void send(long messageId, WatchUpdate update);
    }

    public Watches(
            WatchHub hub,
            LockReplica replica,
            KeyEvents keyEvents,
            Timing timing,
            Caller caller,
            EventLoop loop,
            Output output) {
        this.hub = hub;
        this.replica = replica;
        this.bounds = new Bounds(replica);
        this.keyEvents = keyEvents;
        this.timing = timing;
        this.caller = caller;
        this.loop = loop;
        this.output = output;
    }

    /** Starts a watch, and answers. */
    public void open(long messageId, Options options) {
        try {
            begin(messageId, options);
        } catch (Rejected rejected) {
            output.send(messageId, WatchUpdate.refused(options.id(), replica.stamp(), rejected.rejection()));
        }
    }

    public int size() {
        return byId.size();
    }

    /** There is room again: what can be read is, in its turn. */
    public void pump() {
        if (reader != null && !readable.isEmpty() && output.isReady()) {
            reader.want();
        }
    }

    /** Reads what can be read, as far as there is room and time. */
    private boolean take(BooleanSupplier over) {
        boolean first = true;
        while (!readable.isEmpty() && output.isReady() && (first || !over.getAsBoolean())) {
            OpenWatch watch = readable.iterator().next();
            readable.remove(watch);
            read(watch);
            first = false;
        }
        if (!readable.isEmpty() && !output.isReady()) {
            // What was written may be gone by then, without any more word of it.
            loop.execute(this::pump);
        }
        return !readable.isEmpty() && output.isReady();
    }

    public void close() {
        List.copyOf(byId.values()).forEach(this::end);
        if (progressTimer != null) {
            progressTimer.cancel(false);
        }
        if (reader != null) {
            hub.leave(reader);
            reader = null;
        }
    }

    private void begin(long messageId, Options options) {
        check(options);
        List<String> keys = readableKeys(options.spec());
        caller.watchBegins();
        WatchSpec spec = options.spec().withEpoch(replica.epoch());
        Stamp stamp = replica.stamp();
        long start = spec.startRevision();
        long from = start == 0 ? stamp.revision() + 1 : start;
        if (reader == null) {
            reader = hub.reader(caller.name(), loop, this::take);
        }
        OpenWatch watch = new OpenWatch(options, spec, from);
        byId.put(watch.id(), watch);
        watch.feed = hub.open(reader, watch.spec(), keys, options.allEvents(), from, () -> announced(watch));
        output.send(messageId, WatchUpdate.opened(watch.id(), stamp, from));
        if (options.progressNotify() && progressTimer == null) {
            long millis = timing.progress().toMillis();
            progressTimer = loop.scheduleAtFixedRate(this::progressDue, millis, millis, TimeUnit.MILLISECONDS);
        }
        if (start != 0) {
            // At once, for a request over HTTP is answered with it.
            hub.gone(watch.feed()).ifPresent(oldest -> compacted(watch, oldest));
        }
    }

    private void check(Options options) {
        if (byId.containsKey(options.id())) {
            throw Rejected.invalid("watch_id", 0, options.id(), options.id() + " is in use on this stream");
        }
        if (byId.size() >= MAX_WATCHES) {
            throw Rejected.quota("watches on a stream", MAX_WATCHES, byId.size() + 1L);
        }
        WatchSpec spec = options.spec();
        if (spec.prefix()) {
            bounds.text("key", spec.key(), Limit.KEY_BYTES);
        } else {
            bounds.key("key", spec.key());
        }
        if (spec.startRevision() == WatchSpec.UNREADABLE) {
            throw Rejected.invalid("cursor", "is no cursor; give back what came with an answer, as it is");
        }
        if (spec.startRevision() < 0) {
            throw Rejected.invalid("start_revision", 0, spec.startRevision(), spec.startRevision() + " is below 0");
        }
    }

    /** A prefix may reach beyond what the caller may read: events of that do not concern the watch at all. */
    private List<String> readableKeys(WatchSpec spec) {
        if (spec.prefix()) {
            return caller.requireReadableUnder(spec.key());
        }
        caller.require(Verb.READ, LockKey.of(spec.key()));
        return List.of(spec.key());
    }

    /** Ends a watch, and answers. */
    public void cancel(long messageId, long id) {
        OpenWatch watch = byId.get(id);
        Stamp stamp = replica.stamp();
        if (watch == null) {
            Rejection unknown =
                    Rejection.of(ErrorCode.NOT_FOUND, "watch_id", 0, id, "watch_id: " + id + " does not exist");
            output.send(messageId, WatchUpdate.ended(id, stamp, 0, 0, unknown));
        } else {
            end(watch);
            output.send(messageId, WatchUpdate.ended(id, stamp, watch.resumeRevision, 0, null));
        }
    }

    /** There is something to read, and it is this stream's turn. */
    private void announced(OpenWatch watch) {
        if (byId.get(watch.id()) == watch) {
            readable.add(watch);
        }
    }

    private void lookAgain(OpenWatch watch) {
        announced(watch);
        pump();
    }

    private void progressDue() {
        for (OpenWatch watch : byId.values()) {
            if (watch.options.progressNotify()) {
                watch.progressDue = true;
                readable.add(watch);
            }
        }
        pump();
    }

    private void read(OpenWatch watch) {
        WatchRead read = hub.read(watch.feed(), MAX_EVENTS);
        switch (read.kind()) {
            case EVENTS -> deliver(watch, (WatchRead.Events) read);
            case AHEAD -> waitForNode(watch, (WatchRead.Ahead) read);
            case COMPACTED -> compacted(watch, ((WatchRead.Compacted) read).oldestRevision());
            case SLOW -> slow(watch, ((WatchRead.Slow) read).resumeRevision());
        }
    }

    private void compacted(OpenWatch watch, long oldest) {
        abort(
                watch,
                0,
                oldest,
                Rejection.of(
                        ErrorCode.COMPACTED,
                        "start_revision",
                        oldest,
                        watch.spec().startRevision(),
                        whyCompacted(watch, oldest)));
    }

    private String whyCompacted(OpenWatch watch, long oldest) {
        long present = replica.epoch();
        if (watch.spec().startEpoch() == present) {
            return "revisions below " + oldest + " are gone";
        }
        String restored =
                "a backup was restored, and since then revisions mean something else (epoch " + present + "): ";
        return watch.options.spec().startEpoch() == WatchSpec.NO_EPOCH
                ? restored + "revision " + watch.spec().startRevision() + " was given without its epoch; use a cursor"
                : restored + "revision " + watch.spec().startRevision() + " is of epoch "
                        + watch.spec().startEpoch();
    }

    private void slow(OpenWatch watch, long resumeRevision) {
        abort(
                watch,
                resumeRevision,
                0,
                Rejection.of(
                        ErrorCode.UNAVAILABLE,
                        "watch_id",
                        0,
                        watch.id(),
                        "the reader did not keep up; watch again from " + resumeRevision));
    }

    private void deliver(OpenWatch watch, WatchRead.Events read) {
        List<KeyEvent> told = new ArrayList<>();
        PreviousValues previous =
                watch.options.previousValues() && !read.events().isEmpty()
                        ? PreviousValues.of(read.events(), replica)
                        : PreviousValues.NONE;
        int bytes = 0;
        for (Event event : read.events()) {
            if (bytes > Bounds.MAX_ANSWER_BYTES) {
                send(watch, told, event.revision());
                told = new ArrayList<>();
                bytes = 0;
            }
            for (KeyEvent each : keyEvents.of(
                    event, hold -> watch.feed().wants(hold.key()) && caller.mayRead(hold.key()), previous)) {
                bytes += each.bytes();
                told.add(each);
            }
        }
        if (!told.isEmpty() || (watch.progressDue && !read.more())) {
            watch.progressDue = false;
            send(watch, told, read.resumeRevision());
        }
        watch.resumeRevision = read.resumeRevision();
        if (read.more()) {
            readable.add(watch);
        }
    }

    private void send(OpenWatch watch, List<KeyEvent> events, long resumeRevision) {
        output.send(0, WatchUpdate.events(watch.id(), replica.stamp(), events, resumeRevision));
    }

    /** The client has seen more than this node, which must catch up: neither a gap nor a repetition. */
    private void waitForNode(OpenWatch watch, WatchRead.Ahead ahead) {
        long start = watch.spec().startRevision();
        if (watch.aheadMillis >= timing.patience().toMillis()) {
            abort(
                    watch,
                    start,
                    0,
                    Rejection.of(
                            ErrorCode.UNAVAILABLE,
                            "start_revision",
                            ahead.revision(),
                            start,
                            "this node has come to revision " + ahead.revision() + " only; watch on another node"));
            return;
        }
        long millis = timing.retry().toMillis();
        watch.aheadMillis += millis;
        watch.retryTimer = loop.schedule(() -> lookAgain(watch), millis, TimeUnit.MILLISECONDS);
    }

    private void abort(OpenWatch watch, long resumeRevision, long oldestRevision, Rejection why) {
        end(watch);
        output.send(0, WatchUpdate.ended(watch.id(), replica.stamp(), resumeRevision, oldestRevision, why));
    }

    private void end(OpenWatch watch) {
        byId.remove(watch.id());
        readable.remove(watch);
        watch.stopTimer();
        caller.watchEnded();
        hub.close(watch.feed());
    }
}
