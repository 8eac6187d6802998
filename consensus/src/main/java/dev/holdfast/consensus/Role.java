package dev.holdfast.consensus;

import java.util.Optional;

/** What this node is at the moment. */
public sealed interface Role {

    long term();

    /** Leads, and the first entry of its term has been applied here: it may propose. */
    record Leading(long term) implements Role {}

    /** Follows, campaigns or knows nobody. */
    record Following(long term, Optional<NodeId> leader) implements Role {}
}
