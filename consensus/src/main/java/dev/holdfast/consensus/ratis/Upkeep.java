package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.ratis.Followers.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be looked after while the engine runs, because it does not do so itself. A few times a second:
 *
 * <ol>
 *   <li>notice that the engine is gone, whoever closed it;
 *   <li>tell when no leader is known any more;
 *   <li>as a leader, wake members that fell behind on an idle log;
 *   <li>as a leader, tell witnesses how much they may forget;
 *   <li>as a leader that has lost touch with a member of its own making, let another lead;
 *   <li>as a leader whose disk stands still, let another lead;
 *   <li>as a witness that was elected, hand leadership on.
 * </ol>
 */
final class Upkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final long PERIOD_MILLIS = 250;
    private static final int NUDGE_EVERY = 2;
    private static final int FORSAKEN_AFTER = 8;
    private static final long LONGEST_WAIT_FOR_RELOAD_MILLIS = 30_000;
    private static final Duration HAND_OVER = Duration.ofSeconds(2);

    private final Engine engine;
    private final Proposals proposals;
    private final Roles roles;
    private final Membership membership;
    private final Duty duty;
    private final Failure failure;
    private final StuckDisk disk;
    private final RatisSettings settings;
    private final ScheduledExecutorService thread;

    private long ticks;
    private long appliedBefore = -1;
    private long floorSaid = -1;
    private int forsaken;

    Upkeep(
            RatisSettings settings,
            Engine engine,
            Proposals proposals,
            Roles roles,
            Membership membership,
            Duty duty,
            FlushedLog flushed,
            Failure failure) {
        this.settings = settings;
        this.engine = engine;
        this.proposals = proposals;
        this.roles = roles;
        this.membership = membership;
        this.duty = duty;
        this.failure = failure;
        this.disk = new StuckDisk(settings, flushed);
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Threads.named(settings.self().id() + "-upkeep"));
    }

    void start() {
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(this::tick, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            ticks++;
            look();
        } catch (RuntimeException e) {
            // The engine may be changing role or closing under our hands; the next look finds it settled.
            LOG.debug("upkeep skipped a turn", e);
        }
    }

    private void look() {
        DivisionInfo info = engine.division().getInfo();
        if (LifeCycle.States.CLOSING_OR_CLOSED_OR_EXCEPTION.contains(info.getLifeCycleState())) {
            gone(info);
            return;
        }
        if (duty.waitingMillis() > LONGEST_WAIT_FOR_RELOAD_MILLIS) {
            failure.report(
                    "a snapshot was fetched, and the engine does not take it up because the leader changed: start again",
                    null);
        }
        duty.remind();
        if (!info.isLeader()) {
            if (info.getLeaderId() == null) {
                roles.leaderless(info.getCurrentTerm());
            }
            appliedBefore = -1;
            floorSaid = -1;
            forsaken = 0;
            disk.notLeading();
        } else if (settings.self().part() == Part.WITNESS) {
            CompletableFuture<Void> unused = handOn("a witness does not lead");
        } else if (disk.isNoticed(engine.division())) {
            handOnOrStepDown("its disk stands still");
        } else if (info.isLeaderReady()) {
            lead(info.getLastAppliedIndex());
        }
    }

    private void gone(DivisionInfo info) {
        boolean listed = Peers.members(engine.division().getRaftConf()).stream()
                .anyMatch(member -> member.id().equals(settings.self().id()));
        if (membership.hasLeft() || !listed) {
            membership.leftOut();
            roles.following(info.getCurrentTerm(), Optional.empty());
        } else {
            failure.report("the engine stopped by itself; what it logged says why: start again", null);
        }
    }

    private void lead(long applied) {
        List<Member> members = Peers.members(engine.division().getRaftConf());
        Map<NodeId, Progress> followers = Followers.of(engine.division());
        watchOver(members, followers);
        if (ticks % NUDGE_EVERY == 0) {
            if (isAnyoneBehind(followers)) {
                proposals.send(new Entry.Nudge());
            }
            appliedBefore = applied;
        }
        if (members.stream().anyMatch(member -> member.part() == Part.WITNESS)) {
            sayFloor(members, followers);
        }
    }

    /** Only of those that answer: who is away gets nothing from a longer log. */
    private boolean isAnyoneBehind(Map<NodeId, Progress> followers) {
        long awake = 2 * settings.electionMax().toMillis();
        return followers.values().stream()
                .anyMatch(follower -> follower.matched() < appliedBefore && follower.silentMillis() < awake);
    }

    /**
     * Not above the newest snapshot here: so it rises about as often as one is taken, and not by being said.
     */
    private void sayFloor(List<Member> members, Map<NodeId, Progress> followers) {
        long floor = duty.latest().map(SnapshotFile::index).orElse(-1L);
        for (Member member : members) {
            if (member.part() == Part.VOTER
                    && !member.id().equals(settings.self().id())) {
                Progress progress = followers.get(member.id());
                floor = Math.min(floor, progress == null ? -1 : progress.matched());
            }
        }
        if (floor > floorSaid) {
            floorSaid = floor;
            proposals.send(new Entry.Floor(floor));
        }
    }

    /**
     * A change of members that fails makes the engine drop every member it holds for a newcomer, among them those
     * that joined earlier under this leader: they hear nothing more. Another leader starts afresh.
     */
    private void watchOver(List<Member> members, Map<NodeId, Progress> followers) {
        boolean missing = members.stream()
                .map(Member::id)
                .anyMatch(id -> !id.equals(settings.self().id()) && !followers.containsKey(id));
        forsaken = missing && !followers.isEmpty() ? forsaken + 1 : 0;
        if (forsaken >= FORSAKEN_AFTER) {
            forsaken = 0;
            CompletableFuture<Void> unused = handOn("the engine no longer serves all of " + members);
        }
    }

    private CompletableFuture<Void> handOn(String why) {
        return membership
                .transfer(engine, Optional.empty(), HAND_OVER)
                .whenComplete((done, e) ->
                        LOG.info("handing over leadership, as {}: {}", why, e == null ? "done" : e.toString()));
    }

    /** The engine refuses to hand over while what was appended first is not committed; without a leader others campaign. */
    private void handOnOrStepDown(String why) {
        CompletableFuture<Void> unused = handOn(why)
                .exceptionallyCompose(e -> engine.stepDown(HAND_OVER))
                .whenComplete((done, e) -> {
                    if (e != null) {
                        LOG.info("stepping down, as {}: {}", why, e.toString());
                    }
                });
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
