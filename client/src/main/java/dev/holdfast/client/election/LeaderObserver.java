package dev.holdfast.client.election;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.query.ClusterQueries;
import dev.holdfast.client.watch.WatchOptions;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells who leads, now and from now on.
 *
 * <p>The present leader is asked for, and the watch begins right behind the moment of the answer: nobody is missed.
 */
final class LeaderObserver implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderObserver.class);

    private final ClientCore core;
    private final String key;
    private final Consumer<Leadership> observer;
    private final ReentrantLock telling = new ReentrantLock();
    private Optional<Leadership> untold = Optional.empty();
    private @Nullable Leadership last;
    private volatile boolean closed;
    private volatile Subscription watch = () -> {};

    LeaderObserver(ClientCore core, String key, Consumer<Leadership> observer) {
        this.core = core;
        this.key = key;
        this.observer = observer;
    }

    void begin() throws InterruptedException {
        ClusterQueries.LockAt now = core.queries().getAt(key);
        telling.lock();
        try {
            untold = Term.leader(now.lock());
        } finally {
            telling.unlock();
        }
        WatchOptions options = WatchOptions.of(key).from(now.cursor());
        watch = core.watches().listen(options, this::happened, this::ended);
        if (closed) {
            watch.close();
        } else {
            core.session().callBack(() -> tell(Optional.empty()));
        }
    }

    private void happened(WatchEvent event) {
        if (event.kind() == WatchEvent.Kind.GRANTED || event.kind() == WatchEvent.Kind.DESCRIBED) {
            tell(Optional.of(new Leadership(event.metadata().text(), event.holder(), event.token())));
        }
    }

    /** What was found at the beginning comes first, whichever thread comes first. */
    private void tell(Optional<Leadership> news) {
        telling.lock();
        try {
            Optional<Leadership> first = untold;
            untold = Optional.empty();
            try {
                first.ifPresent(this::tellOnce);
            } finally {
                news.ifPresent(this::tellOnce); // also if the observer threw
            }
        } finally {
            telling.unlock();
        }
    }

    private void tellOnce(Leadership leadership) {
        if (!closed && !leadership.equals(last)) {
            last = leadership;
            observer.accept(leadership);
        }
    }

    /** The watch fell behind what the cluster remembers: begin anew. On a callback thread, which may wait. */
    private void ended(RuntimeException why) {
        try {
            if (!(why instanceof CompactedException)) {
                throw why;
            }
            begin();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("the leader of {} is no longer observed", key, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
    }
}
