package dev.holdfast.core.handler;

import dev.holdfast.core.Limit;
import dev.holdfast.core.Quota;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Account;
import dev.holdfast.core.state.State;
import org.jspecify.annotations.Nullable;

/** Whether a principal, and its tenant, may have more of something. Those without a name have no quota. */
final class Quotas {
    private final State state;

    Quotas(State state) {
        this.state = state;
    }

    Result.@Nullable Refused check(Account principal, Quota quota, int more) {
        return check(principal, quota, more, 1);
    }

    /** @param times how often the quota counts */
    Result.@Nullable Refused check(Account principal, Quota quota, int more, int times) {
        if (!principal.isNamed()) {
            return null;
        }
        Result.Refused refused = check(principal, quota, quota.perPrincipal(), more, times);
        Account tenant = principal.tenant();
        return refused != null || tenant == null ? refused : check(tenant, quota, quota.perTenant(), more, times);
    }

    private Result.@Nullable Refused check(Account account, Quota quota, Limit limit, int more, int times) {
        long most = times * state.limit(limit);
        long count = account.count(quota) + more;
        return count <= most ? null : new Result.Refused(Refusal.QUOTA_EXCEEDED, limit.name(), most, count);
    }
}
