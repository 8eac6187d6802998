package dev.holdfast.core.state;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.time.Timer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of claims that is granted, and ends, as one.
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>state</th><th>what happens</th><th>next</th></tr>
 * <tr><td>new</td><td>grantable</td><td>held</td></tr>
 * <tr><td>new</td><td>blocked, may wait</td><td>waiting</td></tr>
 * <tr><td>waiting</td><td>becomes grantable</td><td>held (an upgrade: its grant becomes exclusive)</td></tr>
 * <tr><td>waiting</td><td>cancel, time-out, lease ends</td><td>gone</td></tr>
 * <tr><td>held</td><td>release, cancel, force, lease revoked</td><td>gone</td></tr>
 * <tr><td>held</td><td>lease expired, longest hold reached</td><td>lingering if lock-delay, else gone</td></tr>
 * <tr><td>lingering</td><td>lock-delay over, force</td><td>gone</td></tr>
 * </table>
 */
public final class Request extends Claim {
    /** Stands for the revision of a request that has none yet: younger than all. */
    static final long UNDECIDED = Long.MAX_VALUE;

    final Lease lease;

    /** The request id; below 0 for a request without one, where it only keeps the index unique. */
    long seq;

    /** Waiting: its place in all queues. Held: that of the grant. */
    long revision = UNDECIDED;

    final long owner;
    final @Nullable Actor actor;
    long sinceMillis;
    long wallMillis;
    final String purpose;
    Metadata metadata;

    /** Set while it waits. */
    @Nullable
    Waiting waiting;

    /** The end of a hold that is bounded, or of the lingering; null where there is none. */
    @Nullable
    End ends;

    boolean lingering;

    Request(
            Lease lease,
            long seq,
            long owner,
            @Nullable Actor actor,
            String purpose,
            Metadata metadata,
            Lock lock,
            Kind kind,
            boolean exclusive) {
        super(lock, kind, exclusive);
        this.lease = lease;
        this.seq = seq;
        this.owner = owner;
        this.actor = actor;
        this.purpose = purpose;
        this.metadata = metadata;
    }

    /** The end of its wait, its hold or its lingering. */
    public static final class End extends Timer {
        private final What what;
        private final Request request;
        private final long revision;

        /** Not rounded to the grid: what people and clients are told. */
        final long endMillis;

        End(What what, Request request, long endMillis) {
            this.what = what;
            this.request = request;
            this.revision = request.revision;
            this.endMillis = endMillis;
        }

        @Override
        public What what() {
            return what;
        }

        @Override
        public long order() {
            return revision;
        }

        public Request request() {
            return request;
        }
    }

    @Override
    public Request request() {
        return this;
    }

    public Lease lease() {
        return lease;
    }

    /** The request id as the client knows it; 0 for a request without one. */
    public long seq() {
        return Math.max(seq, 0);
    }

    public boolean hasId() {
        return seq > 0;
    }

    public long revision() {
        return revision;
    }

    /** Smaller is served first: waiting upgrades before all others, then by age. */
    public long rank() {
        return isUpgrade() ? revision + Long.MIN_VALUE : revision;
    }

    public long owner() {
        return owner;
    }

    public @Nullable Actor actor() {
        return actor;
    }

    public long sinceMillis() {
        return sinceMillis;
    }

    public long wallMillis() {
        return wallMillis;
    }

    public String purpose() {
        return purpose;
    }

    public Metadata metadata() {
        return metadata;
    }

    public @Nullable Waiting waiting() {
        return waiting;
    }

    /** Cluster time at which the hold or the lingering ends; 0 for none. */
    public long holdEndMillis() {
        return ends == null ? 0 : ends.endMillis;
    }

    /** Cluster time at which the wait ends by itself; 0 for none. */
    public long waitEndMillis() {
        return waiting == null ? 0 : waiting.endMillis();
    }

    public boolean isLingering() {
        return lingering;
    }

    /** Whether it waits for nothing: it holds what it asked for, or keeps it closed after a loss. */
    public boolean isHeld() {
        return waiting == null;
    }

    public boolean isUpgrade() {
        return waiting != null && waiting.upgrades != null;
    }

    public boolean hasPermits() {
        return any(Kind.PERMITS);
    }

    public boolean hasSubtree() {
        return any(Kind.SUBTREE);
    }

    private boolean any(Kind kind) {
        for (Claim claim = this; claim != null; claim = claim.next) {
            if (claim.kind() == kind) {
                return true;
            }
        }
        return false;
    }

    public boolean hasMode(boolean exclusive) {
        for (Claim claim = this; claim != null; claim = claim.next) {
            if (claim.exclusive == exclusive) {
                return true;
            }
        }
        return false;
    }

    /** How many locks it holds or awaits; each permit is one. */
    public int lockCount() {
        int count = 0;
        for (Claim claim = this; claim != null; claim = claim.next) {
            count += claim.locks();
        }
        return count;
    }

    /** Its claim on a lock, if any. */
    public @Nullable Claim claimOn(Lock lock) {
        Claim claim = this;
        while (claim != null && claim.lock() != lock) {
            claim = claim.next;
        }
        return claim;
    }

    public List<Hold> holds() {
        if (next == null) {
            return List.of(toHold());
        }
        List<Hold> holds = new ArrayList<>();
        for (Claim claim = this; claim != null; claim = claim.next) {
            holds.add(claim.toHold());
        }
        return List.copyOf(holds);
    }
}
