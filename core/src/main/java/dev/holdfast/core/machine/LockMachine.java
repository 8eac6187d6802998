package dev.holdfast.core.machine;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.grant.GrantPass;
import dev.holdfast.core.grant.GrantRule;
import dev.holdfast.core.handler.Expiry;
import dev.holdfast.core.handler.Handlers;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.image.TombstoneImage;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.snapshot.SnapshotReader;
import dev.holdfast.core.snapshot.SnapshotWriter;
import dev.holdfast.core.state.Images;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.LeaseEnds;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Tombstones;
import dev.holdfast.core.state.Transitions;
import java.util.ArrayList;
import java.util.List;

/**
 * The lock machine: leases, locks, queues and fencing tokens as one deterministic state machine.
 *
 * <p>The same entries give the same state, byte for byte, on every node. It has no thread, clock, random source,
 * socket, file or logger; see the package description for the duties of its host.
 */
public final class LockMachine {
    /** A quarantine that lasts as long as a lease can. */
    public static final long LONGEST_LEASE = -1;

    private final State state;
    private final Ledger ledger;
    private final Transitions transitions;
    private final LeaseEnds ends;
    private final GrantPass grantPass;
    private final Expiry expiry;
    private final Handlers handlers;
    private final MachineView view;
    private boolean broken;

    /** A machine for tests and tools: nobody gives it numbers that were chosen to do harm. */
    public LockMachine() {
        this(KeyedHash.OPEN);
    }

    /** @param hash of this process: what clients choose is spread by a secret they do not know */
    public LockMachine(KeyedHash hash) {
        this(new State(hash));
    }

    LockMachine(State state) {
        this.state = state;
        this.ledger = new Ledger(state);
        this.transitions = new Transitions(state, ledger);
        GrantRule rule = new GrantRule(state);
        this.grantPass = new GrantPass(state, rule, transitions);
        this.ends = new LeaseEnds(state, ledger, transitions);
        this.expiry = new Expiry(state, ledger, transitions, ends);
        this.handlers = new Handlers(state, ledger, transitions, ends, rule);
        this.view = new MachineView(state, handlers);
    }

    /**
     * Applies one committed entry.
     *
     * @param entryTerm the term of the log entry that carried the batch
     */
    public Applied apply(long entryTerm, Batch batch) {
        enter();
        long before = state.now();
        ledger.advanceClock(batch.clockTerm() == entryTerm, batch.clusterTimeMillis(), batch.wallMillis());
        long[] renewed = handlers.leases().renew(batch.renewals(), before);
        ledger.forgetTombstones();
        ends.startEntry();
        grantPass.startEntry();
        expiry.endDue();
        grantPass.run();
        List<Result> results = new ArrayList<>(batch.commands().size());
        for (Command command : batch.commands()) {
            results.add(command.match(handlers));
            grantPass.run();
        }
        return leave(renewed, results);
    }

    /**
     * Makes a restored backup the state of a new cluster: every lease of the backup ends, tokens continue above all
     * that were ever issued, and nothing is granted while a holder from before the restore might still believe in its
     * lease.
     *
     * @param highestTokenSeen the highest token seen anywhere, 0 if no other restore came after the backup
     * @param quarantineMillis for how long nothing is granted, at least; {@link #LONGEST_LEASE} if all that is known is
     *     what the backup allowed
     */
    public Applied beginEpoch(long highestTokenSeen, long quarantineMillis) {
        enter();
        if (quarantineMillis < LONGEST_LEASE) {
            throw new IllegalArgumentException("quarantine: must not be negative, was " + quarantineMillis);
        }
        if (highestTokenSeen < 0) {
            throw new IllegalArgumentException("highest token seen: must not be negative, was " + highestTokenSeen);
        }
        long epoch = 1 + Math.max(state.epoch(), highestTokenSeen >>> FencingToken.REVISION_BITS);
        List<Lease> leases = new ArrayList<>(state.leases().size());
        state.leases().visitFrom(new byte[0], leases::add);
        long quarantine = quarantineMillis == LONGEST_LEASE ? view.longestLeaseMillis() : quarantineMillis;
        ledger.advanceClock(false, 0, 0);
        grantPass.startEntry();
        ledger.forgetHistory();
        for (Lease lease : leases) {
            transitions.endLease(lease, EndReason.RESTORED);
        }
        transitions.endAllLingering();
        ledger.startEpoch(epoch);
        if (quarantine > 0) {
            ledger.quarantineUntil(Math.max(state.now() + quarantine, state.quarantineEndMillis()));
        }
        grantPass.run();
        return leave(new long[0], List.of());
    }

    /** Cluster time before which nothing is due, an unfinished pass included: when to propose an entry at the latest. */
    public long nextDeadlineMillis() {
        return state.untried().isEmpty() ? state.deadlines().earliestMillis() : 0;
    }

    /** Starts a snapshot of the current state; the machine keeps working while it is written. One at a time. */
    public SnapshotWriter startSnapshot() {
        return SnapshotWriter.cut(state);
    }

    /** Likewise, in frames of about this many bytes. */
    public SnapshotWriter startSnapshot(int frameBytes) {
        return SnapshotWriter.cut(state, frameBytes);
    }

    /** The machine whose snapshot this is. */
    public static LockMachine load(SnapshotReader snapshot) {
        return new LockMachine(snapshot.finish());
    }

    /** A number that almost certainly differs for different states. Takes as long as a snapshot. */
    public long stateHash() {
        SnapshotWriter writer = startSnapshot();
        byte[] frame = writer.next();
        while (frame != null) {
            frame = writer.next();
        }
        return writer.hash();
    }

    /** The whole state as a value: for tests and tools, on states of modest size. */
    public StateImage image() {
        List<TombstoneImage> tombstones = new ArrayList<>();
        for (Tombstones.Tombstone stone = state.tombstones().oldest(); stone != null; stone = stone.younger()) {
            tombstones.add(Images.of(stone));
        }
        List<LeaseImage> leases = new ArrayList<>();
        state.leases().visitFrom(new byte[0], lease -> leases.add(Images.of(lease)));
        List<LockImage> locks = new ArrayList<>();
        state.locks().visitFrom(new byte[0], lock -> locks.add(Images.of(lock)));
        return new StateImage(Images.of(state), tombstones, state.history().toList(), leases, locks);
    }

    /** What can be asked of the machine. */
    public MachineView view() {
        return view;
    }

    /** An exception while applying means a bug or a damaged state: nothing more is applied after it. */
    private void enter() {
        if (broken) {
            throw new IllegalStateException("the machine failed before; restart the node from its snapshot and log");
        }
        broken = true;
    }

    private Applied leave(long[] renewed, List<Result> results) {
        broken = false;
        return new Applied(state.now(), state.revision(), renewed, results, ledger.takeEvents());
    }
}
