package dev.holdfast.client.view;

import dev.holdfast.client.FencedLock;
import dev.holdfast.client.LockCall;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Function;

/** Makes a client's views of locks, and knows what its threads hold by them. */
public final class Views {
    private final Session session;
    private final Function<String, LockCall> calls;
    private final Holds holds = new Holds();

    /**
     * The views of one client.
     *
     * @param calls how a lock is asked for, by its key
     */
    public Views(Session session, Function<String, LockCall> calls) {
        this.session = session;
        this.calls = calls;
    }

    public FencedLock lock(String key) {
        return new ExclusiveView(this, key);
    }

    public ReadWriteLock readWriteLock(String key) {
        return new ReadWriteView(new ModeView(this, key, true), new ExclusiveView(this, key));
    }

    Holds holds() {
        return holds;
    }

    LockCall call(String key) {
        return calls.apply(key);
    }

    /** Asks the cluster. A holder that was lost may still keep the key closed; it holds nothing. */
    boolean isHeldByAnybody(String key) {
        GetRequest question = GetRequest.newBuilder().setName(key).build();
        return session
                .asking()
                .askUninterruptibly(LockServiceGrpc.getGetMethod(), question)
                .getLock()
                .getHoldersList()
                .stream()
                .anyMatch(holder -> !holder.getLingering());
    }
}
