package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Entries that wait for the writing thread: a bounded queue with a door. */
final class Intake {
    static final int MAX_ENTRIES = 4096;
    static final long MAX_BYTES = 64L << 20;

    /** What the cluster's engine takes at most: an entry that fits here fits there. */
    static final int MAX_ENTRY_BYTES = 4 << 20;

    /** Bounds what one flush has to carry, and with it the wait of those behind it. */
    private static final long MAX_BATCH_BYTES = 4L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition something = lock.newCondition();
    private final ArrayDeque<Proposal> waiting = new ArrayDeque<>();
    private long bytes;
    private long term;
    private boolean nudged;
    private boolean open;
    private boolean ended;
    private String refusal = "this node does not lead yet";

    CompletableFuture<Outcome> offer(long forTerm, byte[] entry) {
        lock.lock();
        try {
            if (!open) {
                return refused(refusal);
            }
            if (forTerm != term) {
                return refused("the entry is for term " + forTerm + ", this node leads in term " + term);
            }
            if (entry.length > MAX_ENTRY_BYTES) {
                return refused("the entry has " + entry.length + " bytes, more than " + MAX_ENTRY_BYTES);
            }
            if (waiting.size() >= MAX_ENTRIES || bytes + entry.length > MAX_BYTES) {
                return refused("the queue is full: " + waiting.size() + " entries, " + bytes + " bytes");
            }
            Proposal proposal = new Proposal(entry);
            waiting.add(proposal);
            bytes += entry.length;
            something.signal();
            return proposal.outcome();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for entries or a nudge; gives what there is, up to a batch. Nothing more comes when {@link #ended}. */
    List<Proposal> take() {
        lock.lock();
        try {
            while (waiting.isEmpty() && !nudged && !ended) {
                something.awaitUninterruptibly();
            }
            nudged = false;
            List<Proposal> batch = new ArrayList<>();
            long batchBytes = 0;
            while (!waiting.isEmpty() && batchBytes < MAX_BATCH_BYTES) {
                Proposal next = waiting.remove();
                batchBytes += next.entry().length;
                batch.add(next);
            }
            bytes -= batchBytes;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the writing thread look up. */
    void nudge() {
        lock.lock();
        try {
            nudged = true;
            something.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes entries for {@code leading} from here on, unless the end has come before. */
    void open(long leading) {
        lock.lock();
        try {
            term = leading;
            open = !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses from here on; what waits already can still be taken. */
    void end(String reason) {
        lock.lock();
        try {
            if (!ended) {
                open = false;
                ended = true;
                refusal = reason;
                something.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the end has come and all is taken. */
    boolean ended() {
        lock.lock();
        try {
            return ended && waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private static CompletableFuture<Outcome> refused(String reason) {
        return CompletableFuture.completedFuture(new Outcome.NotAppended(reason));
    }
}
