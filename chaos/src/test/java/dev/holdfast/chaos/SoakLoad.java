package dev.holdfast.chaos;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.LockTimeoutException;
import dev.holdfast.client.api.UnavailableException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Clients of every kind that do a little of everything. What fails because a node is away is counted, the rest is kept. */
final class SoakLoad {
    private static final long REST_NANOS = 25_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean stopping;

    /** One thing that a client does, from its beginning to its end. */
    interface Act {
        void run(SplittableRandom random) throws Exception;
    }

    /** Adds clients that do these things. */
    SoakLoad add(int clients, Weights<Act> acts) {
        for (int i = 0; i < clients; i++) {
            SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
            Thread thread = new Thread(() -> work(acts, random), "soak-" + threads.size());
            thread.setDaemon(true); // where a test has failed, nobody stops them
            threads.add(thread);
        }
        return this;
    }

    SoakLoad start() {
        threads.forEach(Thread::start);
        return this;
    }

    void stop() throws InterruptedException {
        stopping = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** What no client should ever meet. */
    Queue<Throwable> faults() {
        return faults;
    }

    int done() {
        return done.get();
    }

    /** How often something was not done since no node could do it. */
    int failed() {
        return failed.get();
    }

    private void work(Weights<Act> acts, SplittableRandom random) {
        while (!stopping) {
            try {
                acts.pick(random).run(random);
                done.incrementAndGet();
            } catch (Exception | AssertionError e) {
                if (isPassing(e)) {
                    failed.incrementAndGet();
                } else {
                    faults.add(e);
                }
            }
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    private static boolean isPassing(Throwable failure) {
        if ((failure instanceof CompletionException || failure instanceof ExecutionException)
                && failure.getCause() != null) {
            return isPassing(failure.getCause());
        }
        return failure instanceof UnavailableException
                || failure instanceof CompactedException
                || failure instanceof LockLostException
                || failure instanceof LockTimeoutException
                || failure instanceof IOException
                || (failure instanceof StatusRuntimeException status && Insistence.isPassing(status));
    }
}
