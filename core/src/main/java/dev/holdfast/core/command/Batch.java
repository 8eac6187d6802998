package dev.holdfast.core.command;

import java.util.Arrays;
import java.util.List;

/**
 * What one log entry carries.
 *
 * @param clockTerm the term whose clock made the stamp
 * @param clusterTimeMillis the stamp; it counts only in an entry of that same term
 * @param wallMillis the leader's wall clock, for people to read
 * @param renewals ids of leases to renew; the leader has checked that each caller owns its lease, which it can, because
 *     a lease never changes its principal
 */
// The arrays are handed over, and equals() compares their contents.
@SuppressWarnings("ArrayRecordComponent")
public record Batch(long clockTerm, long clusterTimeMillis, long wallMillis, long[] renewals, List<Command> commands) {
    private static final long[] NO_RENEWALS = {};

    public Batch {
        commands = List.copyOf(commands);
    }

    public static Batch of(long clockTerm, long clusterTimeMillis, long wallMillis, List<Command> commands) {
        return new Batch(clockTerm, clusterTimeMillis, wallMillis, NO_RENEWALS, commands);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Batch batch
                && clockTerm == batch.clockTerm
                && clusterTimeMillis == batch.clusterTimeMillis
                && wallMillis == batch.wallMillis
                && Arrays.equals(renewals, batch.renewals)
                && commands.equals(batch.commands);
    }

    @Override
    public int hashCode() {
        return 31 * commands.hashCode() + Long.hashCode(clusterTimeMillis);
    }
}
