package dev.holdfast.server.cluster;

import static dev.holdfast.consensus.Member.Part.LEARNER;
import static dev.holdfast.consensus.Member.Part.VOTER;
import static dev.holdfast.consensus.Member.Part.WITNESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.consensus.Member;
import dev.holdfast.server.cluster.Placement.Seat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {

    /** The seed's geography (000): three full nodes in one region, two witnesses; "survives primary region failure". */
    @Test
    void seed_two_witnesses_in_one_region_do_not_survive_it_and_2_2_1_is_proposed() {
        Placement beside = placement("primary:VVVWW");
        Placement elsewhere = placement("primary:VVV", "east:W", "west:W");

        for (Placement seeds : List.of(beside, elsewhere)) {
            assertThat(seeds.survivesAnyNode()).isTrue();
            assertThat(seeds.survivesAnyRegion()).isFalse();
            Spread proposal = seeds.proposal().orElseThrow();
            assertThat(proposal.votes()).isEqualTo("2 + 2 + 1");
            assertThat(proposal.sentence())
                    .isEqualTo("Spread the votes 2 + 2 + 1 over 3 regions: 1 full node and 1 witness;"
                            + " 1 full node and 1 witness; 1 full node.");
        }
        assertThat(beside.warnings())
                .containsExactly("The loss of region \"primary\" is not survived: 0 of 5 votes remain, 3 are needed.");
        assertThat(elsewhere.warnings())
                .containsExactly("The loss of region \"primary\" is not survived: 2 of 5 votes remain, 3 are needed.");
        assertThat(placement("a:VW", "b:VW", "c:V").survivesAnyRegion()).isTrue();
    }

    @Test
    void placement_that_survives_everything_has_no_warning_and_no_proposal() {
        for (Placement good : List.of(placement("a:V", "b:V", "c:W"), placement("a:VV", "b:VV", "c:W"))) {
            assertThat(good.warnings()).isEmpty();
            assertThat(good.proposal()).isEmpty();
        }
    }

    @Test
    void two_regions_never_do_and_a_third_is_asked_for_if_only_for_a_witness() {
        Placement placement = placement("a:VV", "b:V");

        assertThat(placement.survivesAnyRegion()).isFalse();
        assertThat(placement.proposal().orElseThrow().sentence())
                .startsWith("No placement over two regions survives the loss of either")
                .contains("a third region, if only for a witness, is needed")
                .contains("1 + 1 + 1");
    }

    @Test
    void majority_of_witnesses_without_a_full_voter_does_not_count_as_survival() {
        Placement placement = placement("a:VV", "b:WW", "c:W");

        assertThat(placement.survivesAnyRegion()).isFalse();
        assertThat(placement.warnings())
                .containsExactly(
                        "The loss of region \"a\" is not survived: only witnesses remain, which keep no state.");
    }

    @Test
    void single_full_voter_is_not_dispensable_and_a_witness_is_to_be_made_full() {
        Placement placement = placement("a:V", "b:W", "c:W");

        assertThat(placement.survivesAnyNode()).isFalse();
        assertThat(placement.warnings())
                .contains("The loss of node \"a0\" is not survived: only witnesses remain, which keep no state.");
        assertThat(placement.proposal().orElseThrow().sentence()).startsWith("Make 1 full node of as many witnesses.");
    }

    @Test
    void even_number_of_votes_is_warned_about() {
        assertThat(placement("a:V", "b:V", "c:V", "d:V").warnings())
                .containsExactly(
                        "4 votes survive the loss of 1, as 3 would: another vote, if only a witness's, makes it"
                                + " 2.");
    }

    @Test
    void two_votes_survive_no_loss_of_a_node_and_a_witness_mends_it() {
        Placement placement = placement("a:V", "b:V");

        assertThat(placement.survivesAnyNode()).isFalse();
        assertThat(placement.warnings())
                .contains("The loss of node \"a0\" or node \"b0\" is not survived: 1 of 2 votes remain, 2 are needed.");
        assertThat(placement.proposal().orElseThrow().sentence()).contains("Add 1 witness (or as many full nodes).");
    }

    @Test
    void learners_neither_help_nor_harm() {
        assertThat(placement("a:V", "b:V", "c:VL", "d:LL").survivesAnyRegion()).isTrue();
        assertThat(placement("a:VV", "b:VL", "c:LL").survivesAnyRegion()).isFalse();
    }

    @Test
    void members_without_a_region_are_taken_to_fail_together() {
        Placement placement = placement(":VV", "b:V");

        assertThat(placement.survivesAnyRegion()).isFalse();
        assertThat(placement.warnings())
                .contains(
                        "No region is given for \"0\", \"1\": taken to be one region, apart from the others.",
                        "The loss of the region of all without one is not survived: 1 of 3 votes remain, 2 are needed.");
    }

    @Test
    void no_vote_at_all_or_one_name_twice_is_refused() {
        assertThatThrownBy(() -> placement("a:L")).hasMessageContaining("at least one member with a vote");
        Seat seat = new Seat("n1", "a", VOTER);
        assertThatThrownBy(() -> new Placement(List.of(seat, seat))).hasMessageContaining("\"n1\" is there twice");
    }

    /** Of each {@code region:parts}, such as {@code eu:VVW}, members named by the region and a number. */
    private static Placement placement(String... groups) {
        List<Seat> seats = new ArrayList<>();
        for (String group : groups) {
            String region = group.substring(0, group.indexOf(':'));
            String parts = group.substring(group.indexOf(':') + 1);
            for (int i = 0; i < parts.length(); i++) {
                seats.add(new Seat(region + i, region, part(parts.charAt(i))));
            }
        }
        return new Placement(seats);
    }

    private static Member.Part part(char letter) {
        return switch (letter) {
            case 'V' -> VOTER;
            case 'W' -> WITNESS;
            default -> LEARNER;
        };
    }
}
