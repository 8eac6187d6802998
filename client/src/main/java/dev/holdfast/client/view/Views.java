package dev.holdfast.client.view;

import dev.holdfast.client.api.FencedLock;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.grant.PendingAcquire;
import dev.holdfast.client.session.Identity;
import java.util.concurrent.locks.ReadWriteLock;

/** Makes a client's views of locks, and knows what its threads hold by them. */
public final class Views {
    private final ClientCore core;
    private final Identity identity;
    private final Holds holds = new Holds();

    /**
     * The views of one client.
     *
     * @param identity shown with what is held by them
     */
    public Views(ClientCore core, Identity identity) {
        this.core = core;
        this.identity = identity;
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

    /** A lock for the calling thread, however long it takes. */
    AcquireOptions options(String key, boolean shared) {
        AcquireOptions options = AcquireOptions.exclusive(
                key, identity.metadata(), Thread.currentThread().getId());
        return shared ? options.shared() : options;
    }

    PendingAcquire acquire(AcquireOptions options) {
        return core.grants().acquire(options);
    }

    boolean isHeldByAnybody(String key) {
        return core.queries().isHeldUninterruptibly(key);
    }
}
