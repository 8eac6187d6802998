package dev.holdfast.client;

import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.Election;
import dev.holdfast.client.api.Explanation;
import dev.holdfast.client.api.FencedLock;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockInfo;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.LockQueries;
import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.election.ClusterElection;
import dev.holdfast.client.grant.ExportedGrant;
import dev.holdfast.client.session.Identity;
import dev.holdfast.client.view.Views;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.stream.Stream;

/**
 * A client of a Holdfast cluster: one session, one connection, any number of locks.
 *
 * <p>Safe for use by many threads. It has one thread of its own for time, and more only while callbacks run; a lock that
 * is held or waited for costs none.
 */
public final class HoldfastClient implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final ClientCore core;
    private final Identity identity = new Identity();
    private final Views views;
    private final Runnable stop;

    HoldfastClient(ClientCore core, Runnable stop) {
        this.core = core;
        this.stop = stop;
        this.views = new Views(core, identity);
    }

    /**
     * Connects with all defaults.
     *
     * @param endpoints {@code host:port} of some nodes, separated by commas; the others are found
     */
    public static HoldfastClient create(String endpoints) {
        return builder(endpoints).build();
    }

    public static HoldfastClientBuilder builder(String endpoints) {
        return new HoldfastClientBuilder(endpoints);
    }

    /** A lock by its key; exclusive unless asked otherwise. */
    public LockCall lock(String key) {
        return call(Stream.of(Item.newBuilder().setKey(key)));
    }

    /** Several locks at once: all or none, in one step, whatever order others take them in. */
    public LockCall lockAll(String... keys) {
        return call(Stream.of(keys).map(key -> Item.newBuilder().setKey(key)));
    }

    /** One of a number of permits. The number is fixed by the first user while the semaphore is in use. */
    public LockCall semaphore(String key, int permits) {
        return semaphore(key, permits, 1);
    }

    /** Some of a number of permits, at once. */
    public LockCall semaphore(String key, int permits, int count) {
        return call(Stream.of(Item.newBuilder()
                .setKey(key)
                .setKind(Kind.PERMITS)
                .setCapacity(permits)
                .setCount(count)));
    }

    /** The exclusive lock of a key as one of the JDK: reentrant per thread, with the rules of {@link FencedLock}. */
    public Lock javaLock(String key) {
        return views.lock(key);
    }

    /** The exclusive lock of a key under Hazelcast's and Redisson's names: reentrant per thread. */
    public FencedLock fencedLock(String key) {
        return views.lock(key);
    }

    /**
     * The two modes of a lock as the JDK's: reentrant per thread, with the rules of {@link FencedLock}.
     *
     * <p>Whoever holds the write lock may take the read lock as well, and keeps that when it unlocks the write lock:
     * the unlock then waits until the cluster lets other readers in, and should the cluster not answer in time, throws
     * {@link UnavailableException} with the write lock unlocked here and other readers still kept out. Whoever holds
     * the read lock alone cannot get the write lock: {@code tryLock()} returns false, and what would wait throws
     * {@link DeadlockException}. Who needs that takes a shared {@link Grant} and {@link Grant#upgrade upgrades} it.
     */
    public ReadWriteLock readWriteLock(String key) {
        return views.readWriteLock(key);
    }

    /** A candidate in an election. Each call gives another one. */
    public Election election(String name) {
        String key = Election.KEY_PREFIX + name;
        return new ClusterElection(core, key);
    }

    /** What happens to a key, or to many. */
    public WatchCall watch(String key) {
        return new WatchCall(core.watches(), key);
    }

    /** A lock as it is; empty if nobody holds it or waits for it. */
    public Optional<LockInfo> get(String key) throws InterruptedException {
        return core.queries().get(key);
    }

    /** Locks whose keys start so, by key, at most so many. */
    public List<LockInfo> list(String prefix, int limit) throws InterruptedException {
        return core.queries().list(prefix, limit);
    }

    /** Why this client waits: one explanation for each of its requests that does. */
    public List<Explanation> explain() throws InterruptedException {
        return core.queries().explain();
    }

    /** What happened to a key, newest first, at most so many events. */
    public List<WatchEvent> history(String key, int limit) throws InterruptedException {
        return core.queries().history(key, limit);
    }

    /** Questions that any one node answers from what it knows, which may be old: cheap, and with no quorum needed. */
    public LockQueries stale() {
        return core.staleQueries();
    }

    private LockCall call(Stream<Item.Builder> items) {
        List<Item> built = items.map(Item.Builder::build).toList();
        if (built.isEmpty()) {
            throw new IllegalArgumentException("keys: at least one is needed");
        }
        return new LockCall(core.grants(), identity, built);
    }

    /**
     * Takes up a grant that {@link Grant#export} gave out of another client's hands, and keeps it alive from here.
     *
     * @throws LockLostException if its lease has ended meanwhile
     */
    public Grant adopt(String exported) throws InterruptedException {
        return core.grants().awaitAdopted(ExportedGrant.read(exported));
    }

    /** Gives back everything that is held or awaited, and waits a little for the cluster to confirm it. */
    @Override
    public void close() {
        boolean interrupted = false;
        try {
            var unused = core.session().close().get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
            // The cluster cannot be reached: the leases end by themselves.
        }
        stop.run();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
