package dev.holdfast.core;

/** What is counted for each principal and for each tenant, so that none of them takes the cluster from the others. */
public enum Quota {
    LEASES(Limit.LEASES_PER_PRINCIPAL, Limit.LEASES_PER_TENANT),
    /** Ended leases that are remembered: whoever starts and ends many uses up that memory for all. */
    ENDED_LEASES(Limit.ENDED_LEASES_PER_PRINCIPAL, Limit.ENDED_LEASES_PER_TENANT),
    /** Claims that are held or waited for; each permit counts as one. */
    LOCKS(Limit.LOCKS_PER_PRINCIPAL, Limit.LOCKS_PER_TENANT),
    /** Requests that wait. */
    WAITERS(Limit.WAITERS_PER_PRINCIPAL, Limit.WAITERS_PER_TENANT),
    /** Bytes of answers that no client has acknowledged yet. */
    REMEMBERED_BYTES(Limit.REMEMBERED_BYTES_PER_PRINCIPAL, Limit.REMEMBERED_BYTES_PER_TENANT);

    private final Limit perPrincipal;
    private final Limit perTenant;

    Quota(Limit perPrincipal, Limit perTenant) {
        this.perPrincipal = perPrincipal;
        this.perTenant = perTenant;
    }

    public Limit perPrincipal() {
        return perPrincipal;
    }

    public Limit perTenant() {
        return perTenant;
    }
}
