package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.KeyValue;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.Mode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Checks what the service promises, event by event: revisions in order and once each (P9), nobody holds what another
 * holds (P1), tokens that grow (P4), grants in the order of the queue (P6); and that everything happened which a client
 * was told (P7).
 */
final class Audit {
    /** Keys below this are asked for several at a time, and twice by one client: their queues cannot be told apart. */
    static final String MIXED = "soak/";

    private final Map<String, List<KeyValue>> holders = new HashMap<>();
    private final Map<String, Long> highest = new HashMap<>();
    private final Map<String, List<String>> queues = new HashMap<>();
    private final Set<String> granted = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Set<String> keysOfLast = new HashSet<>();
    private long last;
    private long seen;

    /** How many events it has seen. */
    long seen() {
        return seen;
    }

    void see(Event event) {
        seen++;
        inOrder(event);
        KeyValue held = event.getKv();
        String key = held.getKey();
        switch (event.getWhat()) {
            case GRANTED -> {
                newToken(held);
                hold(held);
                granted.add(name(key, held.getFencingToken()));
                leaveFirst(held);
            }
            case MODE_CHANGED -> {
                // A downgrade keeps the token. An upgrade has a new one, and its holder is alone.
                if (!drop(key, held.getFencingToken())) {
                    newToken(held);
                    holders.getOrDefault(key, List.of()).stream()
                            .filter(other -> other.getHolderId().equals(held.getHolderId()))
                            .findFirst()
                            .ifPresent(former -> drop(key, former.getFencingToken()));
                    granted.add(name(key, held.getFencingToken()));
                }
                hold(held);
            }
            case ENDED -> {
                assertThat(drop(key, held.getFencingToken()))
                        .as("%s was held under token %s, which ends at %s", key, held.getFencingToken(), last)
                        .isTrue();
                ended.add(name(key, held.getFencingToken()));
            }
            case QUEUED ->
                queues.computeIfAbsent(key, name -> new ArrayList<>()).add(held.getHolderId());
            case LEFT -> queues.getOrDefault(key, new ArrayList<>()).remove(held.getHolderId());
            default -> {}
        }
    }

    /** A grant of several keys is an event for each, all of one revision. */
    private void inOrder(Event event) {
        assertThat(event.getRevision()).as("revision order").isGreaterThanOrEqualTo(last);
        if (event.getRevision() > last) {
            keysOfLast.clear();
        }
        last = event.getRevision();
        assertThat(keysOfLast.add(event.getKv().getKey()))
                .as("%s comes once at %s", event.getKv().getKey(), last)
                .isTrue();
    }

    private void newToken(KeyValue held) {
        assertThat(held.getFencingToken())
                .as("token of %s at %s", held.getKey(), last)
                .isGreaterThan(highest.getOrDefault(held.getKey(), 0L));
        highest.put(held.getKey(), held.getFencingToken());
    }

    private void hold(KeyValue held) {
        for (KeyValue other : near(held)) {
            assertThat(other.getFencingToken() == held.getFencingToken() || agree(held, other))
                    .as("at %s, both: %s and %s", last, other, held)
                    .isTrue();
        }
        holders.computeIfAbsent(held.getKey(), key -> new ArrayList<>()).add(held);
    }

    /** Those whose keys may have to do with this one's. */
    private List<KeyValue> near(KeyValue held) {
        List<KeyValue> near = new ArrayList<>();
        holders.forEach((key, here) -> {
            if (key.equals(held.getKey()) || held.getKind() == Kind.SUBTREE) {
                near.addAll(here);
            } else if (held.getKey().startsWith(key)) {
                here.stream().filter(other -> other.getKind() == Kind.SUBTREE).forEach(near::add);
            }
        });
        return near;
    }

    private static boolean agree(KeyValue one, KeyValue other) {
        if (!covers(one, other) && !covers(other, one)) {
            return true;
        }
        if (one.getKind() == Kind.PERMITS && other.getKind() == Kind.PERMITS) {
            return permits(one).noneMatch(slot -> permits(other).anyMatch(taken -> taken == slot));
        }
        return one.getMode() == Mode.SHARED && other.getMode() == Mode.SHARED;
    }

    private static IntStream permits(KeyValue held) {
        List<Integer> ranges = held.getSlotsList();
        return IntStream.range(0, ranges.size() / 2)
                .flatMap(i -> IntStream.rangeClosed(ranges.get(2 * i), ranges.get(2 * i + 1)));
    }

    private static boolean covers(KeyValue one, KeyValue other) {
        return one.getKey().equals(other.getKey())
                || (one.getKind() == Kind.SUBTREE && other.getKey().startsWith(one.getKey() + "/"));
    }

    private boolean drop(String key, long token) {
        List<KeyValue> here = holders.getOrDefault(key, List.of());
        boolean dropped = !here.isEmpty() && here.removeIf(held -> held.getFencingToken() == token);
        if (dropped && here.isEmpty()) {
            holders.remove(key);
        }
        return dropped;
    }

    private void leaveFirst(KeyValue held) {
        List<String> queue = queues.get(held.getKey());
        if (queue == null || queue.isEmpty()) {
            return;
        }
        if (held.getKey().startsWith(MIXED)) {
            queue.remove(held.getHolderId());
        } else {
            assertThat(held.getHolderId())
                    .as("first in the queue of %s at %s", held.getKey(), last)
                    .isEqualTo(queue.remove(0));
        }
        if (queue.isEmpty()) {
            queues.remove(held.getKey());
        }
    }

    /** What clients were told is among what happened up to here. It is then forgotten: a client is told once. */
    void confirm(Collection<Load.Grant> grants, Collection<Load.Grant> releases) {
        assertThat(missing(grants, granted))
                .as("acknowledged grants that never were")
                .isEmpty();
        assertThat(missing(releases, ended))
                .as("acknowledged releases that never were")
                .isEmpty();
    }

    private static List<Load.Grant> missing(Collection<Load.Grant> told, Set<String> happened) {
        return told.stream()
                .filter(grant -> !happened.remove(name(grant.key(), grant.token())))
                .toList();
    }

    private static String name(String key, long token) {
        return key + '#' + token;
    }
}
