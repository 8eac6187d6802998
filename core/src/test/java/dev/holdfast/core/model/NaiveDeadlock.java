package dev.holdfast.core.model;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** "Deadlock": the least fixpoint of those who can finish, computed over everybody who waits. */
final class NaiveDeadlock {
    private final NaiveState state;
    private final NaiveRules rules;
    private final NaiveRequest newcomer;
    /** Everybody, the newcomer included. */
    private final List<NaiveRequest> waiting;

    private final Set<Object> nodes = new HashSet<>();
    private final Set<Object> canFinish = new HashSet<>();

    private NaiveDeadlock(NaiveState state, NaiveRules rules, NaiveRequest newcomer) {
        this.state = state;
        this.rules = rules;
        this.newcomer = newcomer;
        this.waiting = new ArrayList<>(state.waiters());
        this.waiting.add(newcomer);
        for (NaiveRequest request : waiting) {
            nodes.add(node(request));
        }
    }

    private record Actor(String principal, String clientId, long actor) {}

    static boolean isStuck(NaiveState state, NaiveRules rules, NaiveRequest newcomer) {
        return new NaiveDeadlock(state, rules, newcomer).isStuck();
    }

    static boolean actorWaits(NaiveState state, NaiveRequest request) {
        return request.actor != 0
                && state.waiters().stream().anyMatch(other -> node(other).equals(node(request)));
    }

    private boolean isStuck() {
        boolean grew = true;
        while (grew) {
            grew = false;
            for (Object node : nodes) {
                if (!canFinish.contains(node) && allCanBeGranted(node)) {
                    canFinish.add(node);
                    grew = true;
                }
            }
        }
        return !canFinish.contains(node(newcomer));
    }

    private static Object node(NaiveRequest request) {
        return request.actor == 0 ? request : new Actor(request.lease.principal, request.lease.clientId, request.actor);
    }

    private boolean allCanBeGranted(Object node) {
        return waiting.stream()
                .filter(request -> node(request).equals(node) && !goesByItself(request))
                .allMatch(request -> request.items.stream().allMatch(item -> canBeGranted(request, item)));
    }

    private boolean canBeGranted(NaiveRequest request, Item item) {
        for (NaiveRequest holder : state.holders()) {
            if (conflicts(request, item, holder) && !holderCanFinish(holder)) {
                return false;
            }
        }
        for (NaiveRequest older : state.ahead(request, waiting)) {
            boolean matters = !goesByItself(older)
                    && (conflicts(request, item, older)
                            || (item.kind() == Kind.PERMITS
                                    && older.on(item.key()).isPresent()));
            if (matters && !canFinish.contains(node(older)) && !state.has(PlantedBug.DEADLOCK_IGNORES_WAITERS)) {
                return false;
            }
        }
        return item.kind() != Kind.PERMITS
                || state.has(PlantedBug.DEADLOCK_IGNORES_PERMITS)
                || slotsThatComeFree(item.key(), item.capacity()) >= item.count();
    }

    private static boolean conflicts(NaiveRequest request, Item item, NaiveRequest other) {
        return other.items.stream().anyMatch(otherItem -> NaiveRules.conflict(request, item, other, otherItem));
    }

    private boolean holderCanFinish(NaiveRequest holder) {
        return holder.lingers()
                || goesByItself(holder)
                || holder.actor == 0
                || !nodes.contains(node(holder))
                || canFinish.contains(node(holder));
    }

    /** What is left of a closed lease ends whatever anybody does. */
    private boolean goesByItself(NaiveRequest request) {
        return request.lease.ending != null && !state.has(PlantedBug.CLOSED_LEASE_IS_WAITED_FOR);
    }

    private int slotsThatComeFree(LockKey key, int capacity) {
        int slots = capacity - rules.heldSlots(key);
        for (NaiveRequest holder : state.holders()) {
            if (holderCanFinish(holder)) {
                slots += holder.slotsOn(key);
            }
        }
        return slots;
    }
}
