package dev.holdfast.client.watch;

import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.session.Session;
import java.time.Duration;
import java.util.Optional;

/** A watch that is read by asking. */
final class BufferedWatch implements Watch {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final Session session;
    private final ClusterWatch watch;

    BufferedWatch(Session session, ClusterWatch watch) {
        this.session = session;
        this.watch = watch;
    }

    @Override
    public WatchEvent next() throws InterruptedException {
        return poll(LONGEST).orElseThrow();
    }

    @Override
    public Optional<WatchEvent> poll(Duration longest) throws InterruptedException {
        long nanos = longest.compareTo(LONGEST) < 0 ? longest.toNanos() : Long.MAX_VALUE;
        return watch.buffer().take(nanos).map(watch::read);
    }

    @Override
    public String cursor() {
        return watch.cursorBefore(watch.buffer().resumeRevision());
    }

    @Override
    public void close() {
        watch.buffer().close(() -> new IllegalStateException("the watch is closed"));
        session.execute(watch::leave);
    }
}
