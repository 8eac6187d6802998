package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.LockClient;
import dev.holdfast.bench.side.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that lock and unlock until they are told to stop. Any failure is a failure of the measurement. */
final class Crowd implements AutoCloseable {
    private static final long END_SECONDS = 30;

    private final List<Member> members = new ArrayList<>();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile boolean stopping;

    /** A key may hold {@code %d} for the number of its thread. */
    Crowd(LockClient client, int threads, String key) throws Exception {
        for (int i = 0; i < threads; i++) {
            members.add(new Member(client.mutex(key.formatted(i)), "crowd-" + i));
        }
        members.forEach(Member::start);
    }

    /** Pairs done so far by each thread. */
    long[] pairs() {
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a thread of the workload failed: " + failed, failed);
        }
        return members.stream().mapToLong(member -> member.pairs.get()).toArray();
    }

    /** Returns when every thread has done a pair: from then on the system serves all of them. */
    Crowd begun() throws InterruptedException {
        Site.await("every thread has locked once", () -> Arrays.stream(pairs()).allMatch(done -> done > 0));
        return this;
    }

    /** What each thread does in a time. */
    long[] pairsIn(Duration time) throws InterruptedException {
        long[] before = pairs();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        long[] after = pairs();
        for (int i = 0; i < after.length; i++) {
            after[i] -= before[i];
        }
        return after;
    }

    @Override
    public void close() {
        stopping = true;
        try {
            for (Member member : members) {
                member.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Member extends Thread {
        private final LockClient.Mutex mutex;
        private final AtomicLong pairs = new AtomicLong();

        Member(LockClient.Mutex mutex, String name) {
            super(name);
            this.mutex = mutex;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (!stopping) {
                    mutex.lock();
                    mutex.unlock();
                    pairs.lazySet(pairs.getPlain() + 1);
                }
            } catch (Exception e) {
                failure.compareAndSet(null, e);
            }
        }
    }
}
