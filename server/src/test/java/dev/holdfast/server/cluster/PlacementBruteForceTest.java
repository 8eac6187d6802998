package dev.holdfast.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Member;
import dev.holdfast.server.cluster.Placement.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares every verdict on every small cluster with what happens when the loss is played. */
class PlacementBruteForceTest {
    private static final int MAX_MEMBERS = 5;
    private static final List<String> REGIONS = List.of("a", "b", "c", "d");
    private static final Member.Part[] PARTS = Member.Part.values();

    @Test
    void verdicts_equal_the_played_loss_of_every_region_and_every_node() {
        List<List<Seat>> placements = allPlacements();
        assertThat(placements).hasSizeGreaterThan(70_000);
        long surviving = 0;
        for (List<Seat> seats : placements) {
            Placement placement = new Placement(seats);
            boolean region = playedLosses(seats, REGIONS.stream().map(lost -> without(seats, lost)));
            boolean node = playedLosses(seats, seats.stream().map(lost -> without(seats, lost)));
            if (placement.survivesAnyRegion() != region || placement.survivesAnyNode() != node) {
                throw new AssertionError(
                        "survives region " + region + ", node " + node + ", verdicts differ: " + seats);
            }
            if (placement.proposal().isEmpty() != (region && node)) {
                throw new AssertionError("proposal iff something is not survived: " + seats);
            }
            surviving += region ? 1 : 0;
        }
        assertThat(surviving).isPositive();
    }

    @Test
    void what_is_proposed_survives_any_region_and_node_and_gives_up_no_vote() {
        for (int full = 0; full <= 9; full++) {
            for (int witnesses = full == 0 ? 1 : 0; witnesses <= 9; witnesses++) {
                for (int regions = 1; regions <= 6; regions++) {
                    Spread spread = Spread.of(full, witnesses, regions);
                    List<Seat> seats = seated(spread);
                    String which = full + " full, " + witnesses + " witnesses, " + regions + " regions: " + spread;
                    Stream<List<Seat>> losses = Stream.concat(
                            seats.stream().map(Seat::region).distinct().map(lost -> without(seats, lost)),
                            seats.stream().map(lost -> without(seats, lost)));
                    assertThat(playedLosses(seats, losses)).as(which).isTrue();
                    assertThat(seats).as(which).hasSizeBetween(full + witnesses, Math.max(3, full + witnesses + 1));
                    assertThat(seats.stream().filter(Seat::isFullVoter))
                            .as(which)
                            .hasSize(Math.max(2, full));
                }
            }
        }
    }

    private static boolean playedLosses(List<Seat> all, Stream<List<Seat>> remainders) {
        long votes =
                all.stream().filter(seat -> seat.part() != Member.Part.LEARNER).count();
        return remainders.allMatch(left -> {
            long votesLeft = left.stream()
                    .filter(seat -> seat.part() != Member.Part.LEARNER)
                    .count();
            boolean someoneCanServe = left.stream().anyMatch(seat -> seat.part() == Member.Part.VOTER);
            // A majority is more than all the others together.
            return votesLeft > votes - votesLeft && someoneCanServe;
        });
    }

    private static List<Seat> without(List<Seat> seats, String region) {
        return seats.stream().filter(seat -> !seat.region().equals(region)).toList();
    }

    private static List<Seat> without(List<Seat> seats, Seat lost) {
        return seats.stream().filter(seat -> !seat.equals(lost)).toList();
    }

    private static List<Seat> seated(Spread spread) {
        List<Seat> seats = new ArrayList<>();
        for (int region = 0; region < spread.shares().size(); region++) {
            Spread.Share share = spread.shares().get(region);
            for (int i = 0; i < share.votes(); i++) {
                Member.Part part = i < share.full() ? Member.Part.VOTER : Member.Part.WITNESS;
                seats.add(new Seat("n" + seats.size(), "region" + region, part));
            }
        }
        return seats;
    }

    /** Each of 1 to 5 members in each region with each part, at least one with a vote. */
    private static List<List<Seat>> allPlacements() {
        List<List<Seat>> placements = new ArrayList<>();
        for (int members = 1; members <= MAX_MEMBERS; members++) {
            // Four regions for five members would be four times the work of all else, and show nothing new.
            int regions = members == MAX_MEMBERS ? REGIONS.size() - 1 : REGIONS.size();
            int choices = regions * PARTS.length;
            for (int code = 0; code < Math.pow(choices, members); code++) {
                List<Seat> seats = new ArrayList<>();
                for (int rest = code, i = 0; i < members; i++, rest /= choices) {
                    int choice = rest % choices;
                    seats.add(new Seat("n" + i, REGIONS.get(choice / PARTS.length), PARTS[choice % PARTS.length]));
                }
                if (seats.stream().anyMatch(seat -> seat.part() != Member.Part.LEARNER)) {
                    placements.add(seats);
                }
            }
        }
        return placements;
    }
}
