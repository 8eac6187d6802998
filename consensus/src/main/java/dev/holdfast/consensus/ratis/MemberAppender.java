package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.ratis.wire.SocketRpc;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppenderBase;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.util.IOUtils;
import org.apache.ratis.util.JavaUtils;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one member's log up to the leader's, with one request on its way at a time.
 *
 * <p>A new entry is sent by the thread that appended it, and what came meanwhile by the one that read the member's
 * answer. This appender's own thread does the rest: heartbeats, connecting, large requests, members that do not
 * answer, and those that are so far behind that they must fetch a snapshot.
 *
 * <p>The engine's own appender for transports that ask and wait has a thread between each of these, and can only push
 * a snapshot, also where that is switched off: a member that fell behind the log then stays behind.
 */
final class MemberAppender extends LogAppenderBase {
    private static final Logger LOG = LoggerFactory.getLogger(MemberAppender.class);
    private static final long WAIT_FOR_SNAPSHOT_MILLIS = 100;
    private static final long FIRST_PAUSE_MILLIS = 10;

    /** Held by whoever makes the next request, until its answer is dealt with. */
    private final AtomicBoolean turn = new AtomicBoolean();
    /** Why a request that was sent at once came to nothing, until its own thread has dealt with it. */
    private volatile @Nullable IOException failure;

    MemberAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        super(server, leader, follower);
    }

    @Override
    public long getCallId() {
        return CallId.get();
    }

    @Override
    public Comparator<Long> getCallIdComparator() {
        return CallId.getComparator();
    }

    /** Something is to be sent: the engine calls this after each entry it appended, with no lock held. */
    @Override
    public void notifyLogAppender() {
        // Whoever has the turn looks again when it is over.
        if (turn.compareAndSet(false, true) && !sendAtOnce()) {
            turn.set(false);
            super.notifyLogAppender();
        }
    }

    /**
     * Sends the entries that the member lacks from this thread, if that needs no waiting.
     *
     * @return whether the turn now belongs to the answer
     */
    private boolean sendAtOnce() {
        try {
            if (failure != null || !isRunning() || !hasAppendEntries() || shouldNotifyToInstallSnapshot() != null) {
                return false;
            }
            AppendEntriesRequestProto request = newAppendEntriesRequest(CallId.getAndIncrement(), false);
            if (request == null) {
                return false;
            }
            Timestamp sent = Timestamp.currentTime();
            Optional<CompletableFuture<AppendEntriesReplyProto>> reply =
                    ((SocketRpc) getServerRpc()).appendAtOnce(request);
            if (reply.isEmpty()) {
                return false;
            }
            sent(request);
            CompletableFuture<AppendEntriesReplyProto> unused =
                    reply.get().whenComplete((appended, e) -> answered(request, sent, appended, e));
            return true;
        } catch (RaftLogIOException | RuntimeException e) {
            // No longer leading, or no longer open: its own thread finds out which.
            LOG.debug("{}: not sent at once: {}", this, e.toString());
            return false;
        }
    }

    private void answered(
            AppendEntriesRequestProto request,
            Timestamp sent,
            @Nullable AppendEntriesReplyProto reply,
            @Nullable Throwable e) {
        try {
            if (reply == null) {
                throw new CompletionException(e);
            }
            received(request, sent, reply);
            if (sendAtOnce()) {
                return;
            }
        } catch (RuntimeException reason) {
            // Its own thread goes on, after a pause.
            failure = IOUtils.asIOException(JavaUtils.unwrapCompletionException(reason));
        }
        turn.set(false);
        // What was appended since the last look was left to this one.
        if (failure != null || hasAppendEntries()) {
            notifyLogAppender();
        }
    }

    /** Runs until the leader steps down or the member leaves; an exception makes the engine start another one. */
    @Override
    public void run() throws InterruptedException, IOException {
        while (isRunning()) {
            IOException unanswered = failure;
            if (unanswered != null) {
                failed("entries", unanswered);
                failure = null;
            }
            if (shouldSendAppendEntries() && turn.compareAndSet(false, true) && !sendAtOnce()) {
                try {
                    sendAndWait();
                } finally {
                    turn.set(false);
                }
            }
            if (turn.get()) {
                // Looked at now and then only: the answer goes on from there, or signals.
                await(getServer().properties().minRpcTimeoutMs() / 4);
            } else if (isRunning() && !hasAppendEntries()) {
                await(getHeartbeatWaitTimeMs());
            }
            getLeaderState().checkHealth(getFollower());
        }
    }

    private void await(long millis) throws InterruptedException {
        getEventAwaitForSignal().await(millis, TimeUnit.MILLISECONDS);
    }

    private void sendAndWait() throws InterruptedException, InterruptedIOException, RaftLogIOException {
        TermIndex firstAvailable = shouldNotifyToInstallSnapshot();
        if (firstAvailable != null) {
            notifyMember(firstAvailable);
        }
        // Also while a snapshot is on its way: without heartbeats the member would campaign.
        append(firstAvailable != null);
    }

    private void append(boolean heartbeatOnly) throws InterruptedException, InterruptedIOException, RaftLogIOException {
        AppendEntriesRequestProto request = newAppendEntriesRequest(CallId.getAndIncrement(), heartbeatOnly);
        if (request == null) {
            // The member needs a snapshot after all, or entries not yet readable: look again shortly.
            rest();
            return;
        }
        Timestamp sent = Timestamp.currentTime();
        sent(request);
        AppendEntriesReplyProto reply;
        try {
            reply = getServerRpc().appendEntries(request);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            failed("entries", e);
            return;
        }
        received(request, sent, reply);
    }

    private void sent(AppendEntriesRequestProto request) {
        resetHeartbeatTrigger();
        getFollower().updateLastRpcSendTime(request.getEntriesCount() == 0);
    }

    private void received(AppendEntriesRequestProto request, Timestamp sent, AppendEntriesReplyProto reply) {
        getFollower().updateLastRpcResponseTime();
        getFollower().updateLastRespondedAppendEntriesSendTime(sent);
        getFollower().getErrorState().updateErrorCount(false);
        getLeaderState().onFollowerCommitIndex(getFollower(), reply.getFollowerCommit());
        appended(request, reply);
        getLeaderState().onAppendEntriesReply(this, reply);
    }

    private void appended(AppendEntriesRequestProto request, AppendEntriesReplyProto reply) {
        FollowerInfo member = getFollower();
        switch (reply.getResult()) {
            case SUCCESS -> {
                // What it has in memory alone it does not claim.
                long next = Math.min(behind(request), reply.getNextIndex());
                if (next > member.getNextIndex()) {
                    member.updateMatchIndex(next - 1);
                    member.increaseNextIndex(next);
                    getLeaderState().onFollowerSuccessAppendEntries(member);
                }
            }
            case NOT_LEADER -> onFollowerTerm(reply.getTerm());
            case INCONSISTENCY -> {
                long first =
                        request.getEntriesCount() > 0 ? request.getEntries(0).getIndex() : RaftLog.INVALID_LOG_INDEX;
                member.setNextIndex(getNextIndexForInconsistency(first, reply.getNextIndex()));
            }
            default -> LOG.warn("{}: {} answered {}", getServer().getId(), member.getId(), reply.getResult());
        }
    }

    /**
     * Where to go on with a member that lacks what comes before a request.
     *
     * <p>The engine takes a member to have what it once had, until it refuses an entry; on an idle log there is none to
     * refuse, and one that lost its log would stay without. So what it answers to a heartbeat is believed.
     */
    static long goOnAt(long requestFirst, long replyNext, long engineWould) {
        return requestFirst == RaftLog.INVALID_LOG_INDEX ? replyNext : engineWould;
    }

    @Override
    protected long getNextIndexForInconsistency(long requestFirst, long replyNext) {
        return goOnAt(requestFirst, replyNext, super.getNextIndexForInconsistency(requestFirst, replyNext));
    }

    /** The index behind all that a request proves the member to have, once it succeeded. */
    private static long behind(AppendEntriesRequestProto request) {
        int entries = request.getEntriesCount();
        if (entries > 0) {
            return request.getEntries(entries - 1).getIndex() + 1;
        }
        return request.hasPreviousLog() ? request.getPreviousLog().getIndex() + 1 : RaftLog.LEAST_VALID_LOG_INDEX;
    }

    private void notifyMember(TermIndex firstAvailable) throws InterruptedException, InterruptedIOException {
        FollowerInfo member = getFollower();
        InstallSnapshotReplyProto reply;
        try {
            member.updateLastRpcSendTime(false);
            reply = getServerRpc().installSnapshot(newInstallSnapshotNotificationRequest(firstAvailable));
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | IllegalStateException e) {
            // The engine numbers these calls alike, and refuses one while another that went unanswered is open.
            failed("a snapshot notification", e);
            return;
        }
        member.updateLastRpcResponseTime();
        switch (reply.getResult()) {
            case SNAPSHOT_INSTALLED, ALREADY_INSTALLED -> {
                long index = reply.getSnapshotIndex();
                // Sets match and next index too, so it must not take back what entries have proved; unless the member
                // has lost them since.
                if (index > member.getMatchIndex() || index >= member.getNextIndex()) {
                    member.setSnapshotIndex(index);
                }
                member.setAttemptedToInstallSnapshot();
                getLeaderState().onFollowerCommitIndex(member, index);
                getLeaderState().onFollowerSuccessAppendEntries(member);
            }
            case SNAPSHOT_UNAVAILABLE -> member.setAttemptedToInstallSnapshot();
            case NOT_LEADER -> onFollowerTerm(reply.getTerm());
            case IN_PROGRESS -> rest();
            default -> LOG.warn("{}: {} answered {}", getServer().getId(), member.getId(), reply.getResult());
        }
    }

    private void failed(String what, Exception e) throws InterruptedException {
        FollowerInfo member = getFollower();
        int errors = member.getErrorState().updateErrorCount(true);
        if (errors % 100 == 1) {
            LOG.warn("{}: cannot send {} to {}: {}", getServer().getId(), what, member.getId(), e.toString());
        }
        getServerRpc().handleException(getFollowerId(), e, e instanceof IllegalStateException);
        // Soon enough for a member that returns to hear of its leader before it campaigns.
        long longest = getServer().properties().minRpcTimeoutMs() / 4;
        long pause = Math.min(longest, FIRST_PAUSE_MILLIS << Math.min(errors, 10));
        if (isRunning()) {
            TimeUnit.MILLISECONDS.sleep(pause);
        }
    }

    private void rest() throws InterruptedException {
        await(Math.max(1, Math.min(WAIT_FOR_SNAPSHOT_MILLIS, getHeartbeatWaitTimeMs())));
    }
}
