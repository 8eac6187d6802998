package dev.holdfast.core.state;

import dev.holdfast.core.Quota;
import org.jspecify.annotations.Nullable;

/** What one principal, or one tenant, has at this moment. What a principal has, its tenant has as well. */
public final class Account {
    private final String name;
    private final @Nullable Account tenant;
    private int leases;
    private int endedLeases;
    private int locks;
    private int waiters;
    private long rememberedBytes;

    Account(String name, @Nullable Account tenant) {
        this.name = name;
        this.tenant = tenant;
    }

    String name() {
        return name;
    }

    /** Whether this is somebody: those whom nobody asked for a name share none. */
    public boolean isNamed() {
        return !name.isEmpty();
    }

    /** That of the tenant which a principal belongs to, if any. */
    public @Nullable Account tenant() {
        return tenant;
    }

    public long count(Quota quota) {
        return switch (quota) {
            case LEASES -> leases;
            case ENDED_LEASES -> endedLeases;
            case LOCKS -> locks;
            case WAITERS -> waiters;
            case REMEMBERED_BYTES -> rememberedBytes;
        };
    }

    void add(Quota quota, int by) {
        switch (quota) {
            case LEASES -> leases += by;
            case ENDED_LEASES -> endedLeases += by;
            case LOCKS -> locks += by;
            case WAITERS -> waiters += by;
            case REMEMBERED_BYTES -> rememberedBytes += by;
        }
        if (tenant != null) {
            tenant.add(quota, by);
        }
    }

    /** Locks, waiting requests and answers belong to a lease: without leases there are none. */
    boolean isIdle() {
        return leases == 0 && endedLeases == 0;
    }
}
