package dev.holdfast.chaos;

import dev.holdfast.chaos.DriftingHolder.Use;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Who believed in a lock after whom. */
final class HandOffs {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<HandOff> all = new ArrayList<>();

    /**
     * From when to when somebody believed to hold a key, by the true clock.
     *
     * @param ended by itself, and not given back
     */
    record Belief(String key, long token, long begin, long end, Use use, boolean ended, long process) {
        /** What a {@link DriftingHolder} has written. */
        static Belief of(String[] fields, long process) {
            return new Belief(
                    fields[1],
                    Long.parseLong(fields[2]),
                    Long.parseLong(fields[3]),
                    Long.parseLong(fields[4]),
                    Use.valueOf(fields[5]),
                    fields[6].equals("ended"),
                    process);
        }
    }

    /** From one to the next. */
    record HandOff(Belief from, Belief to) {
        long nanosBetween() {
            return to.begin - from.end;
        }
    }

    HandOffs(List<Belief> beliefs) {
        Map<String, List<Belief>> byKey =
                beliefs.stream().collect(Collectors.groupingBy(Belief::key, TreeMap::new, Collectors.toList()));
        for (List<Belief> ofOne : byKey.values()) {
            ofOne.sort(Comparator.comparingLong(Belief::token));
            for (int i = 1; i < ofOne.size(); i++) {
                if (ofOne.get(i).process() != ofOne.get(i - 1).process()) {
                    all.add(new HandOff(ofOne.get(i - 1), ofOne.get(i)));
                }
            }
        }
    }

    int count() {
        return all.size();
    }

    /** Those whose first holder did not give back. */
    long byTime() {
        return all.stream().filter(each -> each.from.ended()).count();
    }

    /** Those whose first holder was cut off, and could not renew. */
    long byLease() {
        return all.stream()
                .filter(each -> each.from.ended() && each.from.use() != Use.TO_THE_END)
                .count();
    }

    /** Those where the next believed before the one before it had ceased to. */
    List<HandOff> overlaps() {
        return all.stream().filter(each -> each.nanosBetween() < 0).toList();
    }

    /** How long nobody believed, at the least, where the time was over; below 0 if two believed at once. */
    long leastMillis() {
        return all.stream()
                        .filter(each -> each.from.ended())
                        .mapToLong(HandOff::nanosBetween)
                        .min()
                        .orElse(0)
                / NANOS_PER_MILLI;
    }
}
