package dev.holdfast.server.cluster;

import dev.holdfast.consensus.Member;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells what a cluster survives, from where its members stand.
 *
 * <p>After a loss the cluster goes on iff a majority of <i>all</i> votes remains, and a full voter among them: a
 * witness votes but keeps no state, so it can serve nobody. Learners have no vote and change nothing. Members
 * without a region are taken to be in one of their own, for nothing says that they would not fail together.
 */
public final class Placement {
    private final List<Seat> voters;
    private final Set<String> regions = new LinkedHashSet<>();

    public Placement(Collection<Seat> seats) {
        Set<String> names = new LinkedHashSet<>();
        for (Seat seat : seats) {
            if (!names.add(seat.member())) {
                throw new IllegalArgumentException("placement: member \"" + seat.member() + "\" is there twice");
            }
        }
        voters = seats.stream().filter(Seat::votes).toList();
        if (voters.isEmpty()) {
            throw new IllegalArgumentException("placement: needs at least one member with a vote");
        }
        voters.forEach(voter -> regions.add(voter.region()));
    }

    public boolean survivesAnyRegion() {
        return regions.stream().allMatch(region -> lossOf(inRegion(region)).isEmpty());
    }

    public boolean survivesAnyNode() {
        return voters.stream().allMatch(voter -> lossOf(voter::equals).isEmpty());
    }

    /** What an operator should know, a sentence each; empty if any one region and any one node may fail. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        warnAboutMissingRegions(warnings);
        for (String region : regions) {
            lossOf(inRegion(region))
                    .ifPresent(why -> warnings.add("The loss of " + named(region) + " is not survived: " + why + "."));
        }
        nodesByReason()
                .forEach((why, nodes) ->
                        warnings.add("The loss of " + String.join(" or ", nodes) + " is not survived: " + why + "."));
        int votes = voters.size();
        if (votes % 2 == 0) {
            int spare = votes - majority();
            warnings.add(votes + " votes survive the loss of " + spare + ", as " + (votes - 1)
                    + " would: another vote, if only a witness's, makes it " + (spare + 1) + ".");
        }
        return List.copyOf(warnings);
    }

    /** How to survive what is not survived now; empty if all of it is. */
    public Optional<Spread> proposal() {
        if (survivesAnyRegion() && survivesAnyNode()) {
            return Optional.empty();
        }
        int full = count(Seat::isFullVoter);
        return Optional.of(Spread.of(full, voters.size() - full, regions.size()));
    }

    private void warnAboutMissingRegions(List<String> warnings) {
        List<String> nowhere = voters.stream()
                .filter(inRegion(""))
                .map(voter -> '"' + voter.member() + '"')
                .toList();
        if (!nowhere.isEmpty() && regions.size() > 1) {
            warnings.add("No region is given for " + String.join(", ", nowhere)
                    + ": taken to be one region, apart from the others.");
        }
    }

    /** The nodes whose loss is not survived, by the reason: mostly one holds for many of them. */
    private Map<String, List<String>> nodesByReason() {
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        for (Seat voter : voters) {
            lossOf(voter::equals)
                    .ifPresent(why -> reasons.computeIfAbsent(why, same -> new ArrayList<>())
                            .add("node \"" + voter.member() + '"'));
        }
        return reasons;
    }

    /** Why the loss of these is not survived; empty if it is. */
    private Optional<String> lossOf(Predicate<Seat> lost) {
        int left = count(lost.negate());
        if (left < majority()) {
            return Optional.of(left + " of " + voters.size() + " votes remain, " + majority() + " are needed");
        }
        if (count(lost.negate().and(Seat::isFullVoter)) == 0) {
            return Optional.of("only witnesses remain, which keep no state");
        }
        return Optional.empty();
    }

    private int majority() {
        return voters.size() / 2 + 1;
    }

    private int count(Predicate<Seat> wanted) {
        return (int) voters.stream().filter(wanted).count();
    }

    private static Predicate<Seat> inRegion(String region) {
        return seat -> seat.region().equals(region);
    }

    private static String named(String region) {
        return region.isEmpty() ? "the region of all without one" : "region \"" + region + '"';
    }

    /**
     * Where one member of the cluster stands.
     *
     * @param region what fails as one: a region, a zone, a rack; empty if not said
     */
    public record Seat(String member, String region, Member.Part part) {
        boolean votes() {
            return part != Member.Part.LEARNER;
        }

        /** Votes and keeps the state: only such a one can lead and serve. */
        boolean isFullVoter() {
            return part == Member.Part.VOTER;
        }
    }
}
