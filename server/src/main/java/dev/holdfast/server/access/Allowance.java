package dev.holdfast.server.access;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.server.request.Rejected;
import java.util.concurrent.ConcurrentHashMap;

/** How much may be asked here: by one caller, and by all callers of a tenant together. */
public final class Allowance {
    /** Any amount. */
    public static final Allowance UNLIMITED = new Allowance(0, 0, Integer.MAX_VALUE);

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Rates callers;
    private final Rates tenants;
    private final int mostWatches;
    private final ConcurrentHashMap<String, Integer> watches = new ConcurrentHashMap<>();

    /**
     * An allowance for each.
     *
     * @param perCaller requests in a second; 0 for any number
     * @param perTenant requests in a second; 0 for any number
     * @param mostWatches of one caller
     */
    public Allowance(int perCaller, int perTenant, int mostWatches) {
        this.callers = new Rates(perCaller, System::nanoTime);
        this.tenants = new Rates(perTenant, System::nanoTime);
        this.mostWatches = mostWatches;
    }

    /** Counts one request. Where nobody is asked who they are, callers are told apart by their address. */
    void spend(Principal who, String host) {
        if (callers.isLimited()) {
            refuseIf(callers.take(name(who, host)), "requests a second of one caller", callers);
        }
        if (tenants.isLimited() && !who.tenant().isEmpty()) {
            refuseIf(tenants.take(who.tenant()), "requests a second of one tenant", tenants);
        }
    }

    /** Counts a watch; {@link #watchEnded} follows, unless this fails. */
    void watchBegins(Principal who, String host) {
        if (mostWatches == Integer.MAX_VALUE) {
            return;
        }
        watches.compute(name(who, host), (name, count) -> {
            int open = count == null ? 0 : count;
            if (open >= mostWatches) {
                String limit = "watches of one caller";
                throw new Rejected(
                        Errors.of(Code.QUOTA_EXCEEDED, limit, limit + ": " + open + " are open, which is the limit")
                                .toBuilder()
                                .setLimit(mostWatches)
                                .setActual(open + 1L)
                                .build());
            }
            return open + 1;
        });
    }

    void watchEnded(Principal who, String host) {
        if (mostWatches != Integer.MAX_VALUE) {
            watches.computeIfPresent(name(who, host), (name, count) -> count == 1 ? null : count - 1);
        }
    }

    private static String name(Principal who, String host) {
        return who.isAnybody() ? host : who.id();
    }

    private static void refuseIf(long waitNanos, String limit, Rates rates) {
        if (waitNanos > 0) {
            long millis = waitNanos / NANOS_PER_MILLI + 1;
            throw new Rejected(Errors.of(
                            Code.RATE_LIMITED,
                            limit,
                            limit + ": at most " + rates.perSecond() + "; there is room again in " + millis + " ms")
                    .toBuilder()
                    .setLimit(rates.perSecond())
                    .setRetryAfterMs(millis)
                    .build());
        }
    }
}
