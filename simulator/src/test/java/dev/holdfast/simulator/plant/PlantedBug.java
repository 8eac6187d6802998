package dev.holdfast.simulator.plant;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** A way in which the real code could be wrong. */
enum PlantedBug {
    // The machine.
    GRANTS_WHAT_IS_HELD("core.grant.GrantRule", "firstHolderAgainst", Change.Nothing.class),
    LETS_NEWCOMERS_OVERTAKE("core.grant.GrantRule", "firstWaiterBefore", Change.Nothing.class),
    FORGETS_SUBTREES("core.grant.Subtrees", "subtreeAgainst", Change.Nothing.class),
    FORGETS_WHO_WAITS("core.grant.GrantPass", "run", Change.Nothing.class),
    FORGETS_WHAT_WAS_ANSWERED("core.handler.ExactlyOnce", "earlierAnswer", Change.Nothing.class),
    NEVER_ENDS_LEASES("core.handler.Expiry", "endDue", Change.Nothing.class),
    REPEATS_TOKENS("core.FencingToken", "of", Change.RoundsSecond.class),
    RENEWS_IN_WORDS_ONLY("core.state.Ledger", "renew", Change.Nothing.class),
    OVERLOOKS_DEADLOCKS("core.deadlock.DeadlockCheck", "check", Change.Nothing.class),
    SEES_DEADLOCKS_EVERYWHERE("core.deadlock.Walk", "canFinish", Change.Nothing.class),
    TEARS_SNAPSHOTS("core.snapshot.SnapshotWriter", "beforeChange", Change.Nothing.class),

    // The server.
    CLOCK_RUNS_FAST("server.propose.ClusterClock", "read", Change.GivesHalfMore.class),
    CLOCK_JUMPS_WITH_THE_LEADER("server.propose.ClusterClock", "<init>", Change.SecondThreeSecondsMore.class),
    READS_OLD_STATE("server.read.Reads", "read", Change.TakesTrue.class),
    WATCHES_MISS_EVENTS("core.event.WatchIndex", "match", Change.MissesEvents.class),
    WAITS_FOR_WHAT_WAS_LOST("server.propose.Batcher", "flying", Change.CountsAllInFlight.class),
    SESSIONS_MISS_EVENTS("server.replica.LeaseListeners", "applied", Change.Nothing.class),

    // The client.
    BELIEVES_TOO_LONG("client.lease.Deadline", "of", Change.GivesASecondLater.class),
    OVERSLEEPS("client.time.ElapsedClock", "look", Change.Nothing.class),
    BELIEVES_FOR_EVER("client.grant.HeldGrant", "left", Change.NeverZero.class),
    DOES_NOT_REPEAT("client.lease.ClientLease", "toRepeat", Change.GivesNoList.class),
    LEAVES_CANDIDATES_STANDING("client.election.Campaign", "withdraw", Change.Nothing.class),
    DEPOSES_IN_SILENCE("client.election.ElectionCallbacks", "tellDeposed", Change.Nothing.class),

    // What an engine beneath the server could do to it.
    ANSWERS_BEFORE_IT_FLUSHES("simulator.log.SimulatedLog", "safe", Change.GivesFirst.class),
    TAKES_WHAT_COMES_AGAIN_FOR_FLUSHED("simulator.log.LogFile", "has", Change.CountsAsFlushed.class),
    VOTES_BEFORE_IT_FLUSHES("simulator.log.SimulatedLog", "whenVoteIsFlushed", Change.RunsAtOnce.class),
    CUTS_IN_MEMORY_ONLY("simulator.log.LogFile", "cutOnMedium", Change.Nothing.class);

    /** Found by one run in a hundred or less, which takes long. */
    private static final Set<PlantedBug> RARE = EnumSet.of(TEARS_SNAPSHOTS);

    /** Where those were found last that one run in a hundred or less finds: a change to any part may move them. */
    private static final Map<PlantedBug, Long> FOUND_LAST = Map.of(
            WAITS_FOR_WHAT_WAS_LOST, 427L,
            VOTES_BEFORE_IT_FLUSHES, 498L,
            OVERSLEEPS, 137L,
            TAKES_WHAT_COMES_AGAIN_FOR_FLUSHED, 50L);

    private final String type;
    private final String method;
    private final Class<?> change;

    PlantedBug(String type, String method, Class<?> change) {
        this.type = "dev.holdfast." + type;
        this.method = method;
        this.change = change;
    }

    String type() {
        return type;
    }

    String method() {
        return method;
    }

    Class<?> change() {
        return change;
    }

    /** A seed to try first. */
    long likelySeed() {
        return FOUND_LAST.getOrDefault(this, 1L);
    }

    boolean isRare() {
        return RARE.contains(this);
    }
}
