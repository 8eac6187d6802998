package dev.holdfast.simulator.promise;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who holds what, who waits for it, and who could ever finish. */
final class WaitGraph {
    /** Holds something, and nobody knows what it waits for: it may always give back. */
    static final String NOBODY = "";

    private final Map<Object, Waiter> waiters = new LinkedHashMap<>();
    private final Map<Long, Holder> holders = new LinkedHashMap<>();

    /**
     * A request that waits.
     *
     * @param who does nothing else before it is granted, so gives nothing back
     * @param rank smaller is served first
     * @param capacities of the semaphores among what it waits for
     * @param upgrades the token of the grant that it does not wait for, being its own; 0 for none
     */
    record Waiter(String who, long rank, List<Hold> holds, Map<String, Integer> capacities, long upgrades) {}

    private record Holder(String who, List<Hold> holds) {}

    /** So many of these must finish first. */
    private record Need(int enough, List<String> whose) {
        boolean isMet(String waiting, Set<String> finishing) {
            return whose.stream()
                            .filter(other -> !other.equals(waiting) && finishing.contains(other))
                            .count()
                    >= enough;
        }
    }

    void waits(Object request, Waiter waiter) {
        waiters.put(request, waiter);
    }

    void waitsNoMore(Object request) {
        waiters.remove(request);
    }

    void holds(long token, String who, List<Hold> holds) {
        holders.put(token, new Holder(who, holds));
    }

    void holdsNoMore(long token) {
        holders.remove(token);
    }

    /** Who has a grant. */
    String holder(long token) {
        Holder holder = holders.get(token);
        return holder == null ? NOBODY : holder.who();
    }

    /** Whether another upgrade waits for one of these keys. */
    boolean isUpgraded(List<Hold> holds) {
        return waiters.values().stream()
                .filter(waiter -> waiter.upgrades() != 0)
                .anyMatch(waiter -> waiter.holds().stream()
                        .anyMatch(one ->
                                holds.stream().anyMatch(other -> one.key().equals(other.key()))));
    }

    void clear() {
        waiters.clear();
        holders.clear();
    }

    /** Whether somebody waits for nothing, or for nothing that could not come. */
    boolean canFinish(String who) {
        Map<String, List<Need>> needs = needsFrom(who);
        Set<String> finishing = new HashSet<>();
        boolean more = true;
        while (more && !finishing.contains(who)) {
            more = false;
            for (Map.Entry<String, List<Need>> one : needs.entrySet()) {
                more |= one.getValue().stream().allMatch(need -> need.isMet(one.getKey(), finishing))
                        && finishing.add(one.getKey());
            }
        }
        return finishing.contains(who);
    }

    /** What one needs, and what all need who are in its way, near or far. */
    private Map<String, List<Need>> needsFrom(String who) {
        Map<String, List<Need>> found = new LinkedHashMap<>();
        Deque<String> next = new ArrayDeque<>(List.of(who));
        while (!next.isEmpty()) {
            String one = next.remove();
            if (!found.containsKey(one)) {
                List<Need> needs = new ArrayList<>();
                waiters.values().stream()
                        .filter(waiter -> waiter.who().equals(one))
                        .forEach(waiter -> addNeeds(waiter, needs));
                found.put(one, needs);
                needs.forEach(need -> next.addAll(need.whose()));
            }
        }
        return found;
    }

    private void addNeeds(Waiter waiter, List<Need> needs) {
        List<Hold> whole = waiter.holds().stream()
                .filter(hold -> hold.kind() != Kind.PERMITS)
                .toList();
        holders.forEach((token, holder) -> {
            if (token != waiter.upgrades() && Conflicts.any(whole, holder.holds())) {
                needs.add(new Need(1, List.of(holder.who())));
            }
        });
        for (Waiter other : waiters.values()) {
            if (other.rank() < waiter.rank() && Conflicts.any(waiter.holds(), other.holds())) {
                needs.add(new Need(1, List.of(other.who())));
            }
        }
        wantedPermits(waiter).forEach((key, wanted) -> {
            List<String> whose = permitHolders(key);
            int free = waiter.capacities().getOrDefault(key, 0) - whose.size();
            needs.add(new Need(wanted - free, whose));
        });
    }

    private static Map<String, Integer> wantedPermits(Waiter waiter) {
        Map<String, Integer> wanted = new HashMap<>();
        waiter.holds().stream()
                .filter(hold -> hold.kind() == Kind.PERMITS)
                .forEach(
                        hold -> wanted.put(hold.key().toString(), hold.permits().count()));
        return wanted;
    }

    /** Who has the permits of a semaphore, one by one. */
    private List<String> permitHolders(String key) {
        List<String> whose = new ArrayList<>();
        holders.values()
                .forEach(holder -> holder.holds().stream()
                        .filter(hold -> hold.kind() == Kind.PERMITS
                                && hold.key().toString().equals(key))
                        .forEach(hold ->
                                whose.addAll(Collections.nCopies(hold.permits().count(), holder.who()))));
        return whose;
    }
}
