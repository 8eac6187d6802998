package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.Move;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The session streams that are open on this node. */
public final class Sessions {
    private final Set<SessionStream> open = ConcurrentHashMap.newKeySet();

    Sessions() {}

    /**
     * Asks every client to go elsewhere, and goes on serving those that stay. From any thread.
     *
     * @param leader client address to go to; empty where it is not known
     * @param reason for people
     */
    public void move(String leader, String reason) {
        Move move = Move.newBuilder().setLeader(leader).setReason(reason).build();
        open.forEach(session -> session.move(move));
    }

    public int count() {
        return open.size();
    }

    void add(SessionStream session) {
        open.add(session);
    }

    void remove(SessionStream session) {
        open.remove(session);
    }
}
