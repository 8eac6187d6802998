package dev.holdfast.client;

import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.WatchWish;
import dev.holdfast.protocol.v1.GetResponse;
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
final class Observing implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(Observing.class);

    private final Session session;
    private final String key;
    private final Consumer<Leadership> observer;
    private final ReentrantLock telling = new ReentrantLock();
    private Optional<Leadership> untold = Optional.empty();
    private @Nullable Leadership last;
    private volatile boolean closed;
    private volatile Subscription watch = () -> {};

    Observing(Session session, String key, Consumer<Leadership> observer) {
        this.session = session;
        this.key = key;
        this.observer = observer;
    }

    void begin() throws InterruptedException {
        GetResponse now = new Questions(session, false).lookAt(key);
        telling.lock();
        try {
            untold = Term.leader(now);
        } finally {
            telling.unlock();
        }
        WatchWish wish = WatchWish.of(key).from(now.getHeader().getRevision() + 1);
        watch = session.watching().listen(wish, this::happened, this::ended);
        if (closed) {
            watch.close();
        } else {
            session.callBack(() -> tell(Optional.empty()));
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
            LOG.warn("the leader of {} is not observed any more", key, e);
        }
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
    }
}
