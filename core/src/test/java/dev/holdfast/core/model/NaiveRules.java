package dev.holdfast.core.model;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** "Conflicts" and the grant rule, sentence by sentence. */
final class NaiveRules {
    private final NaiveState state;

    NaiveRules(NaiveState state) {
        this.state = state;
    }

    /** Who is in the way, and on which key it was found. */
    record Blocking(LockKey key, Optional<NaiveRequest> blocker) {}

    static boolean isBelow(LockKey key, LockKey above) {
        String name = key.toString();
        String prefix = above.toString();
        return !name.equals(prefix)
                && (name.startsWith(prefix + "/") || (prefix.endsWith("/") && name.startsWith(prefix)));
    }

    /** Whether the item of the one request conflicts with the item of the other. */
    static boolean conflict(NaiveRequest one, Item item, NaiveRequest other, Item otherItem) {
        if (one == other || one.upgrades == other || other.upgrades == one) {
            return false;
        }
        if (item.mode() == Mode.SHARED && otherItem.mode() == Mode.SHARED) {
            return false;
        }
        boolean sameKey = item.key().equals(otherItem.key());
        boolean neitherPermit = item.kind() != Kind.PERMITS && otherItem.kind() != Kind.PERMITS;
        return (sameKey && neitherPermit) || reaches(item, otherItem) || reaches(otherItem, item);
    }

    /** Whether the upper item is a subtree one, and the lower one below it. */
    static boolean reaches(Item upper, Item lower) {
        return upper.kind() == Kind.SUBTREE && isBelow(lower.key(), upper.key());
    }

    boolean isGrantable(NaiveRequest request) {
        return !isDoomed(request) && !quarantineRuns() && blocked(request).isEmpty();
    }

    private boolean isDoomed(NaiveRequest request) {
        boolean leaseDoomed = state.isLeaseDue(request.lease) && !state.has(PlantedBug.DOOMED_LEASE_GRANTED);
        boolean waitDoomed = state.isWaitDue(request) && !state.has(PlantedBug.DOOMED_WAIT_GRANTED);
        return leaseDoomed || waitDoomed;
    }

    private boolean quarantineRuns() {
        return state.quarantineEnd != 0 && !state.has(PlantedBug.QUARANTINE_IGNORED);
    }

    /** What a request that is not grantable is said to wait for. */
    Blocking blocking(NaiveRequest request) {
        return blocked(request).orElse(new Blocking(request.firstKey(), Optional.empty()));
    }

    /** How many wait ahead of the request on the key. */
    int position(NaiveRequest request, LockKey key) {
        return (int) state.ahead(request, state.waiters()).stream()
                .filter(other -> other.on(key).isPresent())
                .count();
    }

    private Optional<Blocking> blocked(NaiveRequest request) {
        return request.items.stream()
                .flatMap(item -> blocked(request, item).stream())
                .findFirst();
    }

    private Optional<Blocking> blocked(NaiveRequest request, Item item) {
        Optional<Blocking> here = blockedOnKey(request, item);
        if (here.isPresent()) {
            return here;
        }
        if (!state.has(PlantedBug.ANCESTORS_IGNORED)) {
            List<LockKey> ancestors = state.keysInUse().stream()
                    .filter(key -> isBelow(item.key(), key))
                    .sorted(Comparator.comparingInt(LockKey::length))
                    .toList();
            for (LockKey ancestor : ancestors) {
                Optional<Blocking> above = blockedElsewhere(request, item, ancestor);
                if (above.isPresent()) {
                    return above;
                }
            }
        }
        if (item.kind() == Kind.SUBTREE && !state.has(PlantedBug.SUBTREE_IGNORES_BELOW)) {
            for (LockKey key : state.keysInUse()) {
                Optional<Blocking> below =
                        isBelow(key, item.key()) ? blockedElsewhere(request, item, key) : Optional.empty();
                if (below.isPresent()) {
                    return below;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Blocking> blockedOnKey(NaiveRequest request, Item item) {
        LockKey key = item.key();
        Optional<Blocking> holder = conflictingHolder(request, item, key);
        if (holder.isPresent()) {
            return holder;
        }
        if (item.kind() != Kind.PERMITS) {
            return conflictingWaiter(request, item, key);
        }
        if (item.capacity() - heldSlots(key) < item.count()) {
            return state.holders().stream()
                    .filter(other -> other.on(key).isPresent())
                    .findFirst()
                    .map(first -> new Blocking(key, Optional.of(first)));
        }
        if (state.has(PlantedBug.SMALL_PERMITS_OVERTAKE)) {
            return Optional.empty();
        }
        return ahead(request).stream()
                .filter(other -> other.on(key).isPresent())
                .findFirst()
                .map(first -> new Blocking(key, Optional.of(first)));
    }

    private List<NaiveRequest> ahead(NaiveRequest request) {
        boolean overtakes = request.revision == NaiveRequest.UNDECIDED && state.has(PlantedBug.NEWCOMER_OVERTAKES_PASS);
        return state.ahead(request, state.waiters()).stream()
                .filter(other -> !overtakes || !isGrantable(other))
                .toList();
    }

    private Optional<Blocking> blockedElsewhere(NaiveRequest request, Item item, LockKey key) {
        Optional<Blocking> holder = conflictingHolder(request, item, key);
        return holder.isPresent() ? holder : conflictingWaiter(request, item, key);
    }

    private Optional<Blocking> conflictingHolder(NaiveRequest request, Item item, LockKey key) {
        return firstConflicting(request, item, key, state.holders());
    }

    private Optional<Blocking> conflictingWaiter(NaiveRequest request, Item item, LockKey key) {
        if (item.mode() == Mode.SHARED && state.has(PlantedBug.READER_OVERTAKES)) {
            return Optional.empty();
        }
        return firstConflicting(request, item, key, ahead(request));
    }

    private static Optional<Blocking> firstConflicting(
            NaiveRequest request, Item item, LockKey key, List<NaiveRequest> others) {
        return others.stream()
                .filter(other -> other.on(key)
                        .filter(otherItem -> conflict(request, item, other, otherItem))
                        .isPresent())
                .findFirst()
                .map(first -> new Blocking(key, Optional.of(first)));
    }

    int heldSlots(LockKey key) {
        return state.holders().stream().mapToInt(other -> other.slotsOn(key)).sum();
    }
}
