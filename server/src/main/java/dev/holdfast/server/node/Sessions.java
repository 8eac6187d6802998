package dev.holdfast.server.node;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The sessions that are open on this node: to move their clients, and to count them. */
public final class Sessions {
    private final Set<Session> open = Collections.synchronizedSet(new LinkedHashSet<>());

    /** A client's session, which can be asked to go elsewhere. */
    public interface Session {
        /** Goes on serving the client if it stays. From any thread. */
        void move(String leader, String reason);
    }

    /**
     * Asks every client to go elsewhere. From any thread.
     *
     * @param leader client address to go to; empty where it is not known
     * @param reason for people
     */
    public void move(String leader, String reason) {
        List.copyOf(open).forEach(session -> session.move(leader, reason));
    }

    public int count() {
        return open.size();
    }

    public void add(Session session) {
        open.add(session);
    }

    public void remove(Session session) {
        open.remove(session);
    }
}
