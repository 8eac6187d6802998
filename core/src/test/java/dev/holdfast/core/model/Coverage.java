package dev.holdfast.core.model;

import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts what came about in a run, by name. */
final class Coverage {
    /** What the page lets {@code INVALID_ARGUMENT} be about, but for the names of limits. */
    private static final List<String> FIELDS = List.of(
            "ttlMillis",
            "clientId",
            "principal",
            "lockDelayMillis",
            "additionalMillis",
            "requestId",
            "seq",
            "owner",
            "items",
            "key",
            "mode",
            "capacity",
            "count",
            "waitMillis",
            "maxHoldMillis",
            "leaseCoversWait",
            "purpose",
            "metadata",
            "kind",
            "token",
            "reason",
            "by");

    private static final List<String> QUOTAS = List.of(
            "LEASES",
            "ENDED_LEASES",
            "TTL_MAX_MILLIS",
            "KEYS_PER_REQUEST",
            "PERMITS_PER_REQUEST",
            "LOCKS_PER_LEASE",
            "WAITERS_PER_LEASE",
            "WAITERS_PER_KEY",
            "REQUESTS_PER_OWNER",
            "SUBTREE_KEYS",
            "LEASES_PER_PRINCIPAL",
            "LEASES_PER_TENANT",
            "ENDED_LEASES_PER_PRINCIPAL",
            "ENDED_LEASES_PER_TENANT",
            "LOCKS_PER_PRINCIPAL",
            "LOCKS_PER_TENANT",
            "WAITERS_PER_PRINCIPAL",
            "WAITERS_PER_TENANT");

    private static final List<String> WINDOWS = List.of(
            "seq",
            "UNACKNOWLEDGED",
            "REMEMBERED_BYTES",
            "REMEMBERED_BYTES_PER_PRINCIPAL",
            "REMEMBERED_BYTES_PER_TENANT");

    private static final String SCATTERED = "permits that are not neighbours";

    private final SortedMap<String, Integer> counts = new TreeMap<>();

    /** The names of all that can come about. */
    static List<String> everything() {
        List<String> names = new ArrayList<>();
        Stream.of(Result.class.getPermittedSubclasses(), Result.Final.class.getPermittedSubclasses())
                .flatMap(Stream::of)
                .filter(Class::isRecord)
                .forEach(type -> names.add(name("result", type)));
        Stream.of(Event.class.getPermittedSubclasses(), Event.OfLocks.class.getPermittedSubclasses())
                .flatMap(Stream::of)
                .filter(Class::isRecord)
                .forEach(type -> names.add(name("event", type)));
        Stream.of(Refusal.values()).forEach(code -> names.add("refused " + code));
        Stream.of(EndReason.values()).forEach(reason -> names.add("reason " + reason));
        Stream.of(Result.Cancelled.Was.values()).forEach(was -> names.add("cancelled " + was));
        FIELDS.forEach(field -> names.add("INVALID_ARGUMENT " + field));
        QUOTAS.forEach(quota -> names.add("QUOTA_EXCEEDED " + quota));
        WINDOWS.forEach(limit -> names.add("WINDOW_FULL " + limit));
        names.add(SCATTERED);
        return names;
    }

    private static String name(String what, Class<?> type) {
        return what + " " + type.getSimpleName();
    }

    SortedMap<String, Integer> counts() {
        return counts;
    }

    void count(Applied applied) {
        applied.results().forEach(this::count);
        applied.events().forEach(this::count);
    }

    private void count(Result result) {
        count(name("result", result.getClass()));
        if (result instanceof Result.Refused refused) {
            count("refused " + refused.code());
            if (refused.code() == Refusal.INVALID_ARGUMENT
                    || refused.code() == Refusal.QUOTA_EXCEEDED
                    || refused.code() == Refusal.WINDOW_FULL) {
                count(refused.code() + " " + refused.subject());
            }
        }
        if (result instanceof Result.Cancelled cancelled) {
            count("cancelled " + cancelled.was());
        }
    }

    private void count(Event event) {
        count(name("event", event.getClass()));
        if (event instanceof Event.Granted granted
                && granted.holds().stream().anyMatch(hold -> hold.permits().rangeCount() > 1)) {
            count(SCATTERED);
        }
        if (event instanceof Event.Left left) {
            count("reason " + left.reason());
        }
        if (event instanceof Event.Released released) {
            count("reason " + released.reason());
        }
    }

    private void count(String name) {
        counts.merge(name, 1, Integer::sum);
    }
}
