package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.chaos.Beliefs.Belief;
import dev.holdfast.chaos.SoakLoad.Act;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.LockCall;
import dev.holdfast.client.api.DeadlockException;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** What {@link SoakLoad} does through the Java client. */
final class SoakClients implements AutoCloseable {
    static final String PLAIN = Audit.MIXED + "plain/";
    static final String SHARED = Audit.MIXED + "shared/";
    static final String PERMITS = Audit.MIXED + "permits";
    static final String TREE = Audit.MIXED + "tree";
    static final int KEYS = 4;
    private static final int CAPACITY = 3;

    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    private final String endpoints;
    private final HoldfastClient one;
    private final HoldfastClient other;
    private final Beliefs beliefs;
    private final Queue<Load.Grant> told;

    /** @param told where grants are kept that clients were told of */
    SoakClients(String endpoints, Beliefs beliefs, Queue<Load.Grant> told) {
        this.endpoints = endpoints;
        this.one = HoldfastClient.create(endpoints);
        this.other = HoldfastClient.create(endpoints);
        this.beliefs = beliefs;
        this.told = told;
    }

    Weights<Act> acts() {
        return new Weights<Act>()
                .add(12, random -> brief(one(random).lock(key(PLAIN, random)), random))
                .add(8, this::shared)
                .add(6, this::upgrade)
                .add(6, this::permits)
                .add(6, this::set)
                .add(6, this::tree)
                .add(4, this::cancelled)
                .add(1, this::renewed)
                .add(2, this::handedOn)
                .add(2, this::newcomer)
                .add(4, this::questions)
                .add(4, this::watched);
    }

    static String key(String prefix, SplittableRandom random) {
        return prefix + random.nextInt(KEYS);
    }

    private HoldfastClient one(SplittableRandom random) {
        return random.nextBoolean() ? one : other;
    }

    /** Waits not at all, for a moment or for a while. */
    private static Duration wait(SplittableRandom random) {
        return Duration.ofMillis(List.of(0, 20, 1_000).get(random.nextInt(3)));
    }

    private void brief(LockCall call, SplittableRandom random) throws InterruptedException {
        Optional<Grant> found = call.waitAtMost(wait(random)).tryAcquire();
        if (found.isPresent()) {
            held(found.get(), false, () -> work(random));
        }
    }

    private static void work(SplittableRandom random) {
        LockSupport.parkNanos(random.nextInt(20_000_000));
    }

    /** What is done while something is held. */
    private interface Work {
        void run() throws InterruptedException;
    }

    private void held(Grant grant, boolean subtree, Work work) throws InterruptedException {
        List<Belief> entered = believe(grant, subtree);
        try {
            work.run();
        } finally {
            entered.forEach(beliefs::leave);
            grant.close();
        }
    }

    private List<Belief> believe(Grant grant, boolean subtree) {
        List<Belief> entered = grant.keys().stream()
                .map(key -> new Belief(key, subtree, grant.isShared(), "client " + grant.token(), grant::isValid))
                .toList();
        entered.forEach(beliefs::enter);
        grant.keys().forEach(key -> told.add(new Load.Grant(key, grant.token(), System.nanoTime())));
        return entered;
    }

    private void shared(SplittableRandom random) throws InterruptedException {
        LockCall call = one(random).lock(key(SHARED, random));
        brief(random.nextInt(4) == 0 ? call : call.shared(), random);
    }

    private void upgrade(SplittableRandom random) throws InterruptedException {
        Optional<Grant> found = one(random)
                .lock(key(SHARED, random))
                .shared()
                .waitAtMost(wait(random))
                .tryAcquire();
        if (found.isEmpty()) {
            return;
        }
        try (Grant grant = found.get()) {
            told.add(new Load.Grant(grant.key(), grant.token(), System.nanoTime()));
            if (grant.upgrade(Duration.ofMillis(500))) {
                List<Belief> entered = believe(grant, false);
                work(random);
                entered.forEach(beliefs::leave);
                if (random.nextBoolean()) {
                    grant.downgrade();
                }
            }
        } catch (DeadlockException e) {
            // Another holder has asked for the same.
        }
    }

    private void permits(SplittableRandom random) throws InterruptedException {
        int count = 1 + random.nextInt(2);
        Optional<Grant> found = one(random)
                .semaphore(PERMITS, CAPACITY, count)
                .waitAtMost(wait(random))
                .tryAcquire();
        if (found.isPresent()) {
            try (Grant grant = found.get()) {
                told.add(new Load.Grant(PERMITS, grant.token(), System.nanoTime()));
                List<Belief> entered = grant.slots().stream()
                        .map(slot -> Belief.exclusive(PERMITS + '#' + slot, "client " + grant.token(), grant::isValid))
                        .toList();
                assertThat(entered).hasSize(count);
                entered.forEach(beliefs::enter);
                work(random);
                entered.forEach(beliefs::leave);
            }
        }
    }

    private void set(SplittableRandom random) throws InterruptedException {
        int first = random.nextInt(KEYS);
        brief(one(random).lockAll(PLAIN + first, PLAIN + (first + 1) % KEYS, SHARED + first), random);
    }

    private void tree(SplittableRandom random) throws InterruptedException {
        if (random.nextInt(3) > 0) {
            brief(one(random).lock(key(TREE + "/", random)), random);
            return;
        }
        Optional<Grant> found =
                one(random).lock(TREE).subtree().waitAtMost(wait(random)).tryAcquire();
        if (found.isPresent()) {
            held(found.get(), true, () -> work(random));
        }
    }

    private void cancelled(SplittableRandom random) {
        CompletableFuture<Grant> waiting = one(random).lock(key(PLAIN, random)).acquireAsync();
        work(random);
        if (!waiting.cancel(true)) {
            waiting.join().close();
        }
    }

    /** Held for longer than its lease, which the client renews. */
    private void renewed(SplittableRandom random) throws InterruptedException {
        Optional<Grant> found = one(random)
                .lock(Audit.MIXED + "renewed/" + random.nextInt(KEYS))
                .lease(SHORT_LEASE)
                .waitAtMost(wait(random))
                .tryAcquire();
        if (found.isPresent()) {
            held(found.get(), false, () -> LockSupport.parkNanos(SHORT_LEASE.toNanos() * 5 / 4));
        }
    }

    private void handedOn(SplittableRandom random) throws InterruptedException {
        Optional<Grant> found = one.lock(key(PLAIN, random))
                .lease(SHORT_LEASE)
                .waitAtMost(wait(random))
                .tryAcquire();
        if (found.isPresent()) {
            held(other.adopt(found.get().export()), false, () -> work(random));
        }
    }

    /** A client that comes, takes something and goes, giving it back or not. */
    private void newcomer(SplittableRandom random) throws InterruptedException {
        try (HoldfastClient client =
                HoldfastClient.builder(endpoints).sessionTtl(SHORT_LEASE).build()) {
            Optional<Grant> found =
                    client.lock(key(PLAIN, random)).waitAtMost(wait(random)).tryAcquire();
            found.ifPresent(grant -> {
                List<Belief> entered = believe(grant, false);
                work(random);
                entered.forEach(beliefs::leave);
            });
        }
    }

    private void questions(SplittableRandom random) throws InterruptedException {
        HoldfastClient client = one(random);
        String key = key(PLAIN, random);
        assertThat(client.list(Audit.MIXED, 100)).doesNotContainNull();
        assertThat(client.history(key, 50))
                .extracting(WatchEvent::revision)
                .isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(client.explain()).doesNotContainNull();
        assertThat(List.of(client.get(key), client.stale().get(key))).hasSize(2);
    }

    /** Comes, goes and comes back to where it was; misses nothing and is told nothing twice. */
    private void watched(SplittableRandom random) throws InterruptedException {
        String cursor;
        long last = 0;
        try (Watch watch = one(random).watch(Audit.MIXED).prefix().allEvents().open()) {
            last = drain(watch, random.nextInt(20), last);
            cursor = watch.cursor();
        }
        try (Watch watch =
                one(random).watch(Audit.MIXED).prefix().allEvents().from(cursor).open()) {
            drain(watch, random.nextInt(20), last);
        }
    }

    private static long drain(Watch watch, int most, long after) throws InterruptedException {
        long last = after;
        for (int i = 0; i < most; i++) {
            Optional<WatchEvent> event = watch.poll(Duration.ofMillis(200));
            if (event.isEmpty()) {
                break;
            }
            assertThat(event.get().revision()).isGreaterThanOrEqualTo(last);
            last = event.get().revision();
        }
        return last;
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}
