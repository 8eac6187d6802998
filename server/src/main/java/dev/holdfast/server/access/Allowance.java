package dev.holdfast.server.access;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;

/** How much may be asked here: by one caller, and by all callers of a tenant together. */
public final class Allowance {
    /** Any amount. */
    public static final Allowance UNLIMITED = new Allowance(0, 0, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

    /** Refusals that one caller is given at once in a second; to say no takes a node's time, too. */
    public static final int REFUSALS = 1_000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Rates callers;
    private final Rates tenants;
    private final Tally watches;
    private final Tally tenantWatches;
    private final Rates refusals;

    /**
     * An allowance for each.
     *
     * @param perCaller requests in a second; 0 for any number
     * @param perTenant requests in a second; 0 for any number
     * @param watchesPerCaller open at once
     * @param watchesPerTenant open at once, of all callers of a tenant
     * @param refusalsPerCaller given at once in a second, the others later; 0 for any number
     */
    public Allowance(int perCaller, int perTenant, int watchesPerCaller, int watchesPerTenant, int refusalsPerCaller) {
        this.callers = new Rates(perCaller, System::nanoTime);
        this.tenants = new Rates(perTenant, System::nanoTime);
        this.watches = new Tally("watches of one caller", watchesPerCaller);
        this.refusals = new Rates(refusalsPerCaller, System::nanoTime);
        this.tenantWatches = new Tally("watches of one tenant", watchesPerTenant);
    }

    /** Counts one request. */
    void spend(Caller caller) {
        Principal who = caller.who();
        if (callers.isLimited()) {
            refuseIf(callers.take(caller.name()), "requests a second of one caller", callers);
        }
        if (tenants.isLimited() && !who.tenant().isEmpty()) {
            refuseIf(tenants.take(who.tenant()), "requests a second of one tenant", tenants);
        }
    }

    /** Counts a watch; {@link #watchEnded} follows, unless this fails. */
    void watchBegins(Caller caller) {
        Principal who = caller.who();
        String name = caller.name();
        watches.begin(name);
        if (!who.tenant().isEmpty()) {
            try {
                tenantWatches.begin(who.tenant());
            } catch (Rejected full) {
                watches.end(name);
                throw full;
            }
        }
    }

    void watchEnded(Caller caller) {
        Principal who = caller.who();
        watches.end(caller.name());
        if (!who.tenant().isEmpty()) {
            tenantWatches.end(who.tenant());
        }
    }

    /** Counts a refusal; says how many nanoseconds it has to wait before it is given, up to a second. */
    long refused(Principal who, String connection) {
        return refusals.owe(who.isAnybody() || who == Principal.NOBODY ? connection : who.id());
    }

    private static void refuseIf(long waitNanos, String limit, Rates rates) {
        if (waitNanos > 0) {
            long millis = waitNanos / NANOS_PER_MILLI + 1;
            throw Rejection.of(
                            ErrorCode.RATE_LIMITED,
                            limit,
                            rates.perSecond(),
                            0,
                            limit + ": at most " + rates.perSecond() + "; there is room again in " + millis + " ms")
                    .withRetry(millis, "")
                    .toException();
        }
    }
}
