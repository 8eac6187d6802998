package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.SnapshotSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * The engine's view of this node: everything the engine calls comes in here and is handed to the part it concerns.
 *
 * <p>The engine never moves the life cycle by itself, and installs no snapshot unless it finds this machine
 * paused: it is moved here.
 */
final class Machine extends BaseStateMachine {
    private final RaftPeerId self;
    private final ClientId client;
    private final Duty duty;
    private final Proposals proposals;
    private final Roles roles;
    private final Failure failure;
    private final DurableDirectory directory;
    private final FlushedLog flushed;
    private final ApplierWatch watch;
    private final Membership membership;
    private final SnapshotSource source;
    private volatile RaftServer.@Nullable Division division;

    /** Term of the newest configuration applied; of the thread that applies. */
    private long configurationTerm;

    Machine(
            RaftPeerId self,
            ClientId client,
            Duty duty,
            Proposals proposals,
            Roles roles,
            Failure failure,
            DurableDirectory directory,
            FlushedLog flushed,
            ApplierWatch watch,
            Membership membership,
            SnapshotSource source) {
        this.self = self;
        this.client = client;
        this.duty = duty;
        this.proposals = proposals;
        this.roles = roles;
        this.failure = failure;
        this.directory = directory;
        this.flushed = flushed;
        this.watch = watch;
        this.membership = membership;
        this.source = source;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        super.initialize(server, group, storage);
        division = server.getDivision(group);
        flushed.open(division());
        watch.open(division());
        getLifeCycle()
                .startAndTransition(
                        () -> begin(storage.getStorageDir().getCurrentDir().toPath()));
    }

    /** Begins with the newest snapshot; the engine reads its log after this. */
    private void begin(Path logDirectory) throws IOException {
        Optional<TermIndex> last = duty.open();
        if (last.isPresent()) {
            setLastAppliedTermIndex(last.get());
            SupersededLog.remove(logDirectory, last.get().getIndex());
        }
    }

    private RaftServer.Division division() {
        RaftServer.Division running = division;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    // Entries on their way into the log.

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext transaction = super.startTransaction(request);
        if (!request.getClientId().equals(client)) {
            transaction.setException(new IOException("only this process proposes"));
        }
        try {
            // Found again before appending, but the engine would then count the entry as pending for ever.
            proposals.check(request.getCallId(), division().getInfo().getCurrentTerm());
        } catch (IOException e) {
            transaction.setException(e);
        }
        return transaction;
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) throws IOException {
        long term = division().getInfo().getCurrentTerm();
        try {
            proposals.appending(transaction.getClientRequest().getCallId(), term);
        } catch (IOException e) {
            // Told otherwise, the engine would step down for it.
            throw new StateMachineException(String.valueOf(e.getMessage()), e, false);
        }
        return transaction;
    }

    @Override
    public CompletableFuture<Void> flush(long index) {
        try {
            directory.beforeAcknowledging();
            watch.written();
            return CompletableFuture.completedFuture(null);
        } catch (IOException e) {
            // The engine takes this for a failed write, which it is.
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Void> truncate(long index) {
        directory.truncating();
        flushed.cutting(index);
        return CompletableFuture.completedFuture(null);
    }

    // Entries that are committed.

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        StateMachineLogEntryProto body = entry.getStateMachineLogEntry();
        TermIndex at = TermIndex.valueOf(entry.getTerm(), entry.getIndex());
        try {
            duty.apply(at, Entry.parse(body.getLogData()), entry.getSerializedSize());
        } catch (Throwable e) {
            failure.report("the entry " + at + " could not be applied: this node no longer agrees with the others", e);
            // Thrown, it stops the engine; in the future's place the engine would log it and go on.
            throw e;
        }
        updateLastAppliedTermIndex(at);
        if (body.getClientId().equals(client.toByteString())) {
            proposals.applied(body.getCallId(), at);
        }
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        configurationTerm = term;
        membership.changed(term, index, configuration);
    }

    @Override
    public void notifyLeaderReady() {
        roles.ready(configurationTerm);
    }

    // Roles.

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        try {
            // The vote that made this leader, or the term that came with it, must not be forgotten from here on.
            directory.flush();
        } catch (IOException e) {
            failure.report("the directory of the log cannot be flushed", e);
        }
        long term = division().getInfo().getCurrentTerm();
        if (leader.equals(self)) {
            roles.elected(term);
        } else {
            roles.following(term, Optional.of(Peers.id(leader)));
        }
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        roles.following(division().getInfo().getCurrentTerm(), Optional.empty());
    }

    // Snapshots.

    @Override
    public long takeSnapshot() {
        try {
            return duty.snapshot(getLastAppliedTermIndex(), division());
        } catch (RuntimeException e) {
            failure.report("the state could not be cut for a snapshot", e);
            throw e;
        }
    }

    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(RoleInfoProto role, TermIndex first) {
        if (first.getIndex() <= getLastAppliedTermIndex().getIndex() + 1) {
            // Asked of every newcomer; the leader's log has all that is missing here.
            return CompletableFuture.completedFuture(null);
        }
        Optional<Member> leader =
                Peers.voter(role.getFollowerInfo().getLeaderInfo().getId());
        List<Member> members = new ArrayList<>(leader.stream().toList());
        Peers.members(division().getRaftConf()).stream()
                .filter(member -> !Peers.id(member.id()).equals(self))
                .filter(member ->
                        leader.isEmpty() || !member.id().equals(leader.get().id()))
                .forEach(members::add);
        return duty.fetch(
                new Sources(source, members.stream().filter(Member::isFull).toList()), first);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        try {
            getLifeCycle().startAndTransition(() -> setLastAppliedTermIndex(duty.reload()), IOException.class);
            flushed.replaced();
        } catch (IOException | RuntimeException e) {
            failure.report("the fetched snapshot could not be loaded", e);
            throw e;
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return new StateMachineStorage() {
            @Override
            public void init(RaftStorage storage) {}

            @Override
            public @Nullable SnapshotInfo getLatestSnapshot() {
                return duty.latest().map(Machine::info).orElse(null);
            }

            @Override
            public void format() {}

            @Override
            public void cleanupOldSnapshots(SnapshotRetentionPolicy snapshotRetentionPolicy) {}
        };
    }

    /** Without files: the engine never sends any. */
    private static SnapshotInfo info(SnapshotFile snapshot) {
        return new FileListSnapshotInfo(List.of(), TermIndex.valueOf(snapshot.term(), snapshot.index()));
    }

    // The end.

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        failure.report(
                "writing the log failed: make sure that the disk has space and is sound, then start again", cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean all) {
        if (all) {
            failure.report(
                    "the engine closed itself, most likely because this process stood still for minutes: start again",
                    null);
        } else {
            membership.leftOut();
        }
    }

    @Override
    public void close() {
        getLifeCycle().checkStateAndClose();
    }
}
