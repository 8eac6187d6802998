package dev.holdfast.server.grpc;

import dev.holdfast.protocol.v1.Move;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The session streams that are open on this node. */
public final class Sessions {
    private final Set<SessionStream> open = Collections.synchronizedSet(new LinkedHashSet<>());

    Sessions() {}

    /**
     * Asks every client to go elsewhere, and goes on serving those that stay. From any thread.
     *
     * @param leader client address to go to; empty where it is not known
     * @param reason for people
     */
    public void move(String leader, String reason) {
        Move move = Move.newBuilder().setLeader(leader).setReason(reason).build();
        List.copyOf(open).forEach(session -> session.move(move));
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
