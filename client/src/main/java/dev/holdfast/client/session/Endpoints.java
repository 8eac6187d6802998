package dev.holdfast.client.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the nodes are: those that were given, those the cluster told of, and which of them is to be tried next.
 *
 * <p>Confined to the session's executor.
 */
final class Endpoints {
    /** From the first node to the leader in at most so many steps; after that, whoever answers will do. */
    static final int MAX_HOPS = 5;

    private static final int MAX_KNOWN = 64;

    private final List<String> known;
    private int at;
    private int hops;
    private Optional<String> hint = Optional.empty();

    /**
     * The endpoints of a cluster.
     *
     * @param first index of the one to begin with: clients that all begin with the same would crowd there
     */
    Endpoints(List<String> given, int first) {
        known = new ArrayList<>(given);
        at = Math.floorMod(first, known.size());
    }

    String current() {
        return known.get(at);
    }

    int count() {
        return known.size();
    }

    List<String> all() {
        return List.copyOf(known);
    }

    void learn(List<String> members) {
        members.forEach(this::index);
    }

    /** Says where the leader is believed to be. */
    void hint(String leader) {
        hint = Optional.of(leader);
    }

    /** Goes where the leader is said to be, if that is elsewhere and the way has not been too long. */
    boolean hop() {
        if (hint.isEmpty() || hops >= MAX_HOPS) {
            return false;
        }
        int index = index(hint.get());
        hint = Optional.empty();
        if (index < 0 || index == at) {
            return false;
        }
        at = index;
        hops++;
        return true;
    }

    /** The present one failed: another is next. */
    void failed() {
        if (!hop()) {
            at = (at + 1) % known.size();
        }
    }

    /** The present one serves; the next way to the leader starts here. */
    void settled() {
        hops = 0;
    }

    private int index(String endpoint) {
        int index = known.indexOf(endpoint);
        if (index < 0 && known.size() < MAX_KNOWN) {
            known.add(endpoint);
            return known.size() - 1;
        }
        return index;
    }
}
