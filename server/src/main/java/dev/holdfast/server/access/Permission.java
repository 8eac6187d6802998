package dev.holdfast.server.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a call or route asks of its caller; every one declares one of these.
 *
 * <p>Where it is about keys, passing it only means that there is some key the caller may do this with: which keys is
 * judged where they are known, by {@link Caller#require} for those that are named and by {@link Caller#mayRead} for
 * everything that is delivered.
 */
public enum Permission {
    /** Nothing: health, and how to call. */
    PUBLIC(null, Reach.NOBODY),
    /**
     * To be authenticated. For what concerns only the caller's own leases: giving back needs nothing but having taken.
     */
    OWN(null, Reach.NOBODY),
    /** To see some keys. */
    READ(Verb.READ, Reach.SOME_KEYS),
    /** To lock some keys. */
    LOCK(Verb.LOCK, Reach.SOME_KEYS),
    /** The same, of one who says who it is in the first message, if not at once: until then it can do nothing. */
    LOGIN(Verb.LOCK, Reach.SOME_KEYS),
    /** To take locks away on some keys. */
    FORCE(Verb.ADMIN, Reach.SOME_KEYS),
    /** To see all keys, and so what is about all of them: status, members, metrics. */
    OBSERVE(Verb.READ, Reach.ALL_KEYS),
    /** To operate the cluster. */
    ADMIN(Verb.ADMIN, Reach.ALL_KEYS),
    /** To be a node of the cluster. No token gives this. */
    PEER(null, Reach.NOBODY);

    private enum Reach {
        NOBODY,
        SOME_KEYS,
        ALL_KEYS
    }

    private final @Nullable Verb verb;
    private final Reach reach;

    Permission(@Nullable Verb verb, Reach reach) {
        this.verb = verb;
        this.reach = reach;
    }

    /** What is asked for on keys, if it is about keys. */
    public Optional<Verb> verb() {
        return Optional.ofNullable(verb);
    }

    /** Whether it must be allowed on every key there can be. */
    public boolean isForAllKeys() {
        return reach == Reach.ALL_KEYS;
    }
}
