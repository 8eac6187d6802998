package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.Role;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Tells the replica what this node is, in order.
 *
 * <p>A thread of its own does so: the engine changes roles while it holds its lock, and whoever is told may hold
 * one that a proposing thread waits for. The thread that applies waits until "leading" was delivered: nothing
 * else is applied meanwhile.
 */
final class Roles implements AutoCloseable {
    private static final long NOT_LEADING = -1;

    private final Replica replica;
    private final Failure failure;
    private final boolean canLead;
    private final ExecutorService thread;
    private volatile Role told = new Role.Following(0, Optional.empty());

    /** The term this node was elected for, as long as it lasts. */
    private long electedFor = NOT_LEADING;

    Roles(String name, Replica replica, Failure failure, boolean canLead) {
        this.replica = replica;
        this.failure = failure;
        this.canLead = canLead;
        this.thread = Executors.newSingleThreadExecutor(Threads.named(name + "-roles"));
    }

    /** What the replica was told last. */
    Role current() {
        return told;
    }

    /** This node was elected. It leads only when it has applied an entry of that term. */
    synchronized void elected(long term) {
        electedFor = term;
        tell(new Role.Following(term, Optional.empty()));
    }

    /** The first entry of the term was applied; without effect if the term is over by now. */
    void ready(long term) {
        CompletableFuture<Void> delivered = new CompletableFuture<>();
        synchronized (this) {
            if (!canLead || electedFor != term) {
                return;
            }
            tell(new Role.Leading(term));
            thread.execute(() -> delivered.complete(null));
        }
        delivered.join();
    }

    synchronized void following(long term, Optional<NodeId> leader) {
        electedFor = NOT_LEADING;
        tell(new Role.Following(term, leader));
    }

    /** Nobody is known to lead; a node that was elected and is not ready stays elected. */
    synchronized void leaderless(long term) {
        if (electedFor == NOT_LEADING) {
            tell(new Role.Following(term, Optional.empty()));
        }
    }

    private void tell(Role role) {
        thread.execute(() -> deliver(role));
    }

    private void deliver(Role role) {
        if (role.equals(told) || isOver(role)) {
            return;
        }
        told = role;
        try {
            replica.roleChanged(role);
        } catch (RuntimeException e) {
            failure.report("the node could not take the role " + role, e);
        }
    }

    private synchronized boolean isOver(Role role) {
        return role instanceof Role.Leading && electedFor != role.term();
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
