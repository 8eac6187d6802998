package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.FollowerInfoProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Campaigns when the leader has been silent for a random election time.
 *
 * <p>The engine does so as well, but late: its follower sleeps a random time, looks, and sleeps again, so it notices
 * after one to two such times. Here the time counts from the leader's last word. Before it campaigns, a member asks the
 * others as the engine would: who alone has lost touch is told so, and disturbs nobody. What is left out here (a leader
 * never known, a change of members under way, a vote that failed) is the engine's, whose own timer goes on beside.
 */
final class Succession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Succession.class);
    private static final int LOOKS_PER_ELECTION_TIME = 32;

    private final Engine engine;
    private final RaftPeerId self;
    private final Duration electionMin;
    private final Duration electionMax;
    private final long lookNanos;
    private final ScheduledExecutorService thread;
    private final ExecutorService askers;
    /** Who has not answered yet; a peer that hangs is not asked twice. */
    private final Set<RaftPeerId> asked = ConcurrentHashMap.newKeySet();

    private long silentBefore = Long.MAX_VALUE;
    private long patienceMillis;
    private long lastLook = System.nanoTime();
    private long notBefore = lastLook;

    Succession(RatisSettings settings, Engine engine) {
        this.engine = engine;
        this.self = Peers.id(settings.self().id());
        this.electionMin = settings.electionMin();
        this.electionMax = settings.electionMax();
        this.lookNanos = electionMin.toNanos() / LOOKS_PER_ELECTION_TIME;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Threads.named(settings.self().id() + "-succession"));
        this.askers =
                Executors.newCachedThreadPool(Threads.named(settings.self().id() + "-succession-asks"));
    }

    void start() {
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(this::look, lookNanos, lookNanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        try {
            long now = System.nanoTime();
            // This process stood still, and what the leader said meanwhile may not have been read yet.
            if (now - lastLook > electionMin.toNanos() / 2) {
                notBefore = now + electionMin.toNanos() / 2;
            }
            lastLook = now;
            RaftPeerId leader = silentLeader();
            if (leader != null && now - notBefore >= 0) {
                notBefore = now + electionMin.toNanos() / 2;
                askOthers(leader);
            }
        } catch (RuntimeException e) {
            // The engine may be changing role or closing under our hands; the next look finds it settled.
            LOG.debug("a look at the leader was skipped", e);
        }
    }

    /** The leader this member follows, if it has been silent for long enough. */
    private @Nullable RaftPeerId silentLeader() {
        DivisionInfo info = engine.division().getInfo();
        RaftPeerId leader = info.getLeaderId();
        if (!info.isFollower() || leader == null || leader.equals(self)) {
            silentBefore = Long.MAX_VALUE;
            return null;
        }
        FollowerInfoProto following = info.getRoleInfoProto().getFollowerInfo();
        long silent = following.getLeaderInfo().getLastRpcElapsedTimeMs();
        if (silent < silentBefore) {
            // Drawn anew each time, so that two members seldom lose patience together.
            patienceMillis = ThreadLocalRandom.current().nextLong(electionMin.toMillis(), electionMax.toMillis());
        }
        silentBefore = silent;
        // What the leader sent and is still being written is a word of it, too.
        return silent >= patienceMillis && following.getOutstandingOp() == 0 ? leader : null;
    }

    private void askOthers(RaftPeerId leader) {
        Collection<RaftPeer> voters = engine.division().getRaftConf().getCurrentPeers();
        TermIndex last = engine.division().getRaftLog().getLastEntryTermIndex();
        long term = engine.division().getInfo().getCurrentTerm();
        boolean changing = !engine.division().getRaftConf().getPreviousPeers().isEmpty();
        // The engine takes a term from the last entry: it must be the present one.
        if (changing || last == null || last.getTerm() != term) {
            return;
        }
        List<RaftPeerId> others = voters.stream()
                .map(RaftPeer::getId)
                .filter(id -> !id.equals(self))
                .toList();
        if (others.size() == voters.size()) {
            return; // this member has no vote
        }
        int needed = voters.size() / 2;
        AtomicInteger agreed = new AtomicInteger();
        for (RaftPeerId other : others) {
            if (asked.add(other)) {
                CompletableFuture<Void> unused = CompletableFuture.runAsync(
                        () -> {
                            if (agrees(other, term, last) && agreed.incrementAndGet() == needed) {
                                thread.execute(() -> campaign(leader, last));
                            }
                        },
                        askers);
            }
        }
    }

    private boolean agrees(RaftPeerId other, long term, TermIndex last) {
        try {
            return engine.wouldVote(other, term, last);
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} was asked whether it would vote: {}", other, e.toString());
            return false;
        } finally {
            asked.remove(other);
        }
    }

    private void campaign(RaftPeerId leader, TermIndex last) {
        if (!leader.equals(silentLeader())) {
            return;
        }
        try {
            LOG.info("{} has been silent for {} ms or more: campaigning", leader, patienceMillis);
            engine.campaign(leader, last);
        } catch (IOException | RuntimeException e) {
            LOG.info("could not campaign; the engine's own timer will: {}", e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        askers.shutdownNow();
        try {
            thread.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
