package dev.holdfast.server.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A way to spread voters over regions so that any one region, and any one node, may fail.
 *
 * @param shares what each region gets, largest first
 * @param change what the cluster needs beyond moving its members, as a sentence; empty if nothing
 */
public record Spread(List<Share> shares, String change) {
    private static final int FEWEST_REGIONS = 3;
    private static final int FEWEST_VOTES = 3;
    private static final int FEWEST_FULL = 2;
    /** The one number that three regions cannot take: two together are half of the votes. */
    private static final int FOUR = 4;

    /** The voters of one region. */
    public record Share(int full, int witnesses) {
        public int votes() {
            return full + witnesses;
        }

        String words() {
            String fulls = full == 0 ? "" : counted(full, "full node");
            String others = witnesses == 0 ? "" : counted(witnesses, "witness");
            return fulls + (full > 0 && witnesses > 0 ? " and " : "") + others;
        }
    }

    public Spread {
        shares = List.copyOf(shares);
    }

    /**
     * Spreads full voters and witnesses over regions, with as few additions as possible.
     *
     * @param regions how many there are now; more are proposed where these cannot do
     */
    public static Spread of(int full, int witnesses, int regions) {
        int votes = Math.max(full + witnesses, FEWEST_VOTES);
        if (votes == FOUR && regions < FOUR) {
            votes++;
        }
        int fullWanted = Math.max(full, FEWEST_FULL);
        int witnessesWanted = votes - fullWanted;
        List<Share> shares = shares(fullWanted, witnessesWanted, Math.min(votes, Math.max(regions, FEWEST_REGIONS)));
        return new Spread(shares, change(full, witnesses, regions, fullWanted, witnessesWanted));
    }

    /** Such as {@code 2 + 2 + 1}. */
    public String votes() {
        return shares.stream().map(share -> Integer.toString(share.votes())).collect(Collectors.joining(" + "));
    }

    /** The proposal for people. */
    public String sentence() {
        return (change.isEmpty() ? "" : change + " ") + "Spread the votes " + votes() + " over " + shares.size()
                + " regions: " + shares.stream().map(Share::words).collect(Collectors.joining("; ")) + ".";
    }

    /**
     * Even shares, and the full voters dealt out before the witnesses: so most of them are left whichever region
     * fails.
     */
    private static List<Share> shares(int full, int witnesses, int regions) {
        return IntStream.range(0, regions)
                .mapToObj(region -> {
                    int all = dealt(full + witnesses, region, regions);
                    int fulls = dealt(full, region, regions);
                    return new Share(fulls, all - fulls);
                })
                .toList();
    }

    /** How many of {@code cards}, dealt in turn, this one of the players gets. */
    private static int dealt(int cards, int player, int players) {
        return cards / players + (player < cards % players ? 1 : 0);
    }

    private static String change(int full, int witnesses, int regions, int fullWanted, int witnessesWanted) {
        List<String> sentences = new ArrayList<>();
        if (regions == 2) {
            sentences.add("No placement over two regions survives the loss of either, because one of them has at least "
                    + "half of the votes: a third region, if only for a witness, is needed.");
        }
        int promoted = Math.max(0, witnesses - witnessesWanted);
        if (promoted > 0) {
            sentences.add("Make " + counted(promoted, "full node") + " of as many witnesses.");
        }
        int addedFull = fullWanted - full - promoted;
        int addedWitnesses = witnessesWanted - (witnesses - promoted);
        if (addedFull > 0) {
            sentences.add("Add " + counted(addedFull, "full node") + ".");
        }
        if (addedWitnesses > 0) {
            sentences.add("Add " + counted(addedWitnesses, "witness") + " (or as many full nodes).");
        }
        return String.join(" ", sentences);
    }

    private static String counted(int count, String noun) {
        if (count == 1) {
            return "1 " + noun;
        }
        return count + " " + noun + (noun.endsWith("s") ? "es" : "s");
    }
}
