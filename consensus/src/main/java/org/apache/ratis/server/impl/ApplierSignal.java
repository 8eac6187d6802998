package org.apache.ratis.server.impl;

import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.NullMarked;

/**
 * Tells the engine's applying thread to look whether something is committed.
 *
 * <p>It stands in the engine's package because what it calls can be seen from nowhere else: a release of the engine that
 * has it no longer does not compile with this.
 */
@NullMarked
public final class ApplierSignal {
    private ApplierSignal() {}

    /** Without any effect on a thread that is awake, and next to none on one that finds nothing to do. */
    public static void send(RaftServer.Division division) {
        ((RaftServerImpl) division).getState().notifyStateMachineUpdater();
    }
}
