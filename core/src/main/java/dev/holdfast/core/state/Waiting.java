package dev.holdfast.core.state;

import org.jspecify.annotations.Nullable;

/** What a request has only while it waits. */
public final class Waiting {
    /** The grant that is to become exclusive, or null for a request of its own. */
    final @Nullable Request upgrades;

    final long waitMillis;
    final long maxHoldMillis;
    final boolean leaseCoversWait;

    /** Where the wait ends by itself; null if only with the lease. */
    Request.@Nullable End ends;

    /** The lock it is parked on: one that blocks it. It is tried again when that lock is triggered. */
    @Nullable
    Lock parkedOn;

    boolean deadlockChecked = true;

    public Waiting(@Nullable Request upgrades, long waitMillis, long maxHoldMillis, boolean leaseCoversWait) {
        this.upgrades = upgrades;
        this.waitMillis = waitMillis;
        this.maxHoldMillis = maxHoldMillis;
        this.leaseCoversWait = leaseCoversWait;
    }

    public @Nullable Request upgrades() {
        return upgrades;
    }

    public long waitMillis() {
        return waitMillis;
    }

    public long maxHoldMillis() {
        return maxHoldMillis;
    }

    public boolean leaseCoversWait() {
        return leaseCoversWait;
    }

    /** Cluster time at which the wait ends; 0 for none. */
    public long endMillis() {
        return ends == null ? 0 : ends.endMillis;
    }

    public boolean isDueAt(long nowMillis) {
        return ends != null && ends.isDueAt(nowMillis);
    }

    public boolean isDeadlockChecked() {
        return deadlockChecked;
    }

    public void setDeadlockChecked(boolean checked) {
        deadlockChecked = checked;
    }
}
