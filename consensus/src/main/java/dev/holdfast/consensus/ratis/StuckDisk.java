package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.ratis.Followers.Progress;
import java.util.List;
import java.util.Map;
import org.apache.ratis.server.RaftServer;

/**
 * Notices that this leader's disk stands still though the others could go on without it.
 *
 * <p>The engine commits nothing that its leader has not flushed, and a leader with such a disk goes on sending signs of
 * life: nobody campaigns, and nothing is committed until the disk comes back.
 */
final class StuckDisk {
    private final NodeId self;
    private final FlushedLog flushed;
    private final long patienceNanos;

    private boolean behind;
    private long flushedBefore;
    private long since;
    private long lastLook = System.nanoTime();

    StuckDisk(RatisSettings settings, FlushedLog flushed) {
        this.self = settings.self().id();
        this.flushed = flushed;
        this.patienceNanos = settings.electionMax().toNanos();
    }

    void notLeading() {
        behind = false;
    }

    /**
     * Whether nothing was flushed for an election time although there was something to flush, and a majority without
     * this leader has it. Asked a few times a second; once it is so, not again for as long.
     */
    boolean isNoticed(RaftServer.Division division) {
        long now = System.nanoTime();
        long upTo = flushed.index();
        // This process stood still, and perhaps its disk did not.
        boolean paused = now - lastLook > patienceNanos;
        lastLook = now;
        boolean behindNow = !flushed.isComplete();
        if (!behind || !behindNow || paused || upTo != flushedBefore) {
            behind = behindNow;
            flushedBefore = upTo;
            since = now;
            return false;
        }
        if (now - since < patienceNanos || !hasMajorityBeyond(division, upTo)) {
            return false;
        }
        since = now;
        return true;
    }

    private boolean hasMajorityBeyond(RaftServer.Division division, long index) {
        Map<NodeId, Progress> others = Followers.of(division);
        List<Member> voters = Peers.members(division.getRaftConf()).stream()
                .filter(Member::votes)
                .toList();
        long ahead = voters.stream()
                .filter(voter -> !voter.id().equals(self))
                .map(voter -> others.get(voter.id()))
                .filter(progress -> progress != null && progress.matched() > index)
                .count();
        return ahead > voters.size() / 2;
    }
}
