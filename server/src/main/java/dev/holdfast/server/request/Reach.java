package dev.holdfast.server.request;

import java.util.Optional;

/** What a node knows of the cluster around it, to tell callers it cannot serve. */
public interface Reach {

    /** Client address of the leader, if it is known and another node. */
    Optional<String> leaderAddress();

    /** For people: {@code 1 of 3 nodes reachable (n1); unreachable: n2, n3}. */
    String describe();
}
