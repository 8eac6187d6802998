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
 * <p>Thread-safe. It has one thread of its own for time, and more only while callbacks run; holding or waiting for a
 * lock needs no thread.
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
     * Creates a client with default settings. It connects when it is first used.
     *
     * @param endpoints {@code host:port} of one or more nodes, separated by commas; the other nodes are discovered
     */
    public static HoldfastClient create(String endpoints) {
        return builder(endpoints).build();
    }

    public static HoldfastClientBuilder builder(String endpoints) {
        return new HoldfastClientBuilder(endpoints);
    }

    /** Returns a call for the lock with this key; exclusive unless set otherwise. */
    public LockCall lock(String key) {
        return call(Stream.of(Item.newBuilder().setKey(key)));
    }

    /**
     * Returns a call for several locks at once: all or none, in one step, whatever the order in which others take them.
     */
    public LockCall lockAll(String... keys) {
        return call(Stream.of(keys).map(key -> Item.newBuilder().setKey(key)));
    }

    /**
     * Returns a call for one permit of a semaphore. While the semaphore is in use, its first user determines the number
     * of permits.
     */
    public LockCall semaphore(String key, int permits) {
        return semaphore(key, permits, 1);
    }

    /** Returns a call for {@code count} permits of a semaphore, granted together. */
    public LockCall semaphore(String key, int permits, int count) {
        return call(Stream.of(Item.newBuilder()
                .setKey(key)
                .setKind(Kind.PERMITS)
                .setCapacity(permits)
                .setCount(count)));
    }

    /**
     * Returns the exclusive lock of a key as a JDK lock: reentrant per thread, with the rules of {@link FencedLock}.
     */
    public Lock javaLock(String key) {
        return views.lock(key);
    }

    /** Returns the exclusive lock of a key under the method names of Hazelcast and Redisson: reentrant per thread. */
    public FencedLock fencedLock(String key) {
        return views.lock(key);
    }

    /**
     * Returns the two modes of a lock as a JDK read-write lock: reentrant per thread, with the rules of {@link
     * FencedLock}.
     *
     * <p>A thread that holds the write lock may also take the read lock, and keeps it when it unlocks the write lock:
     * the unlock then waits until the cluster lets other readers in. If the cluster does not answer in time, it throws
     * {@link UnavailableException}; the write lock is then unlocked here, and other readers are still kept out. A
     * thread that holds only the read lock cannot get the write lock: {@code tryLock()} returns false, and methods that
     * would wait throw {@link DeadlockException}. To upgrade, take a shared {@link Grant} and {@link Grant#upgrade
     * upgrade} it.
     */
    public ReadWriteLock readWriteLock(String key) {
        return views.readWriteLock(key);
    }

    /** Returns a candidate in an election. Each call returns a new one. */
    public Election election(String name) {
        String key = Election.KEY_PREFIX + name;
        return new ClusterElection(core, key);
    }

    /** Returns a call to watch what happens to a key, or to many. */
    public WatchCall watch(String key) {
        return new WatchCall(core.watches(), key);
    }

    /** Returns the current state of a lock; empty if nobody holds it or waits for it. */
    public Optional<LockInfo> get(String key) throws InterruptedException {
        return core.queries().get(key);
    }

    /** Returns locks whose keys start with {@code prefix}, ordered by key, at most {@code limit}. */
    public List<LockInfo> list(String prefix, int limit) throws InterruptedException {
        return core.queries().list(prefix, limit);
    }

    /** Explains why this client waits: one explanation for each of its waiting requests. */
    public List<Explanation> explain() throws InterruptedException {
        return core.queries().explain();
    }

    /** Returns what happened to a key, newest first, at most {@code limit} events. */
    public List<WatchEvent> history(String key, int limit) throws InterruptedException {
        return core.queries().history(key, limit);
    }

    /**
     * Returns queries that a single node answers from its own replica, which may be out of date: cheap, and without a
     * quorum.
     */
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
     * Takes over a grant that another client gave away with {@link Grant#export}, and keeps it alive from here.
     *
     * @throws LockLostException if its lease has ended in the meantime
     */
    public Grant adopt(String exported) throws InterruptedException {
        return core.grants().awaitAdopted(ExportedGrant.read(exported));
    }

    /** Releases everything this client holds or waits for, and waits briefly for the cluster to confirm it. */
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
