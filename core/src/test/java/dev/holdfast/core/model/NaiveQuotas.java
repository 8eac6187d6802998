package dev.holdfast.core.model;

import dev.holdfast.core.Limit;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result.Refused;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The section "Quotas": everything is counted anew for each question. */
final class NaiveQuotas {
    private final NaiveState state;

    NaiveQuotas(NaiveState state) {
        this.state = state;
    }

    /** Whether the principal may start a lease. */
    Optional<Refused> refuseLease(String principal) {
        return refuse(
                        principal,
                        Limit.LEASES_PER_PRINCIPAL,
                        Limit.LEASES_PER_TENANT,
                        1,
                        same -> state.leases.stream()
                                .filter(lease -> same.test(lease.principal))
                                .count())
                .or(() -> refuse(
                        principal,
                        Limit.ENDED_LEASES_PER_PRINCIPAL,
                        Limit.ENDED_LEASES_PER_TENANT,
                        1,
                        same -> state.tombstones.stream()
                                .filter(ended -> same.test(ended.principal()))
                                .count()));
    }

    /** Whether the principal may have that many claims more. */
    Optional<Refused> refuseClaims(String principal, long asked) {
        return refuse(
                principal,
                Limit.LOCKS_PER_PRINCIPAL,
                Limit.LOCKS_PER_TENANT,
                asked,
                same -> state.requests.stream()
                        .filter(request -> same.test(request.lease.principal))
                        .filter(request -> !request.lingers() || state.has(PlantedBug.LINGERING_COUNTS))
                        .filter(request -> !request.isUpgrade() || !state.has(PlantedBug.UPGRADE_DOES_NOT_COUNT))
                        .mapToLong(NaiveRequest::claims)
                        .sum());
    }

    /** Whether one more answer may be remembered for the lease, if the room for them counts so many times. */
    Optional<Refused> refuseAnswer(NaiveLease lease, int times) {
        if (state.has(PlantedBug.REMEMBERED_WITHOUT_BOUND)) {
            return Optional.empty();
        }
        long most = times * state.limit(Limit.REMEMBERED_BYTES);
        long bytes = state.rememberedBytes(lease);
        Optional<Refused> full = bytes >= most
                ? Optional.of(new Refused(Refusal.QUOTA_EXCEEDED, Limit.REMEMBERED_BYTES.name(), most, bytes + 1))
                : refuse(
                        lease.principal,
                        Limit.REMEMBERED_BYTES_PER_PRINCIPAL,
                        Limit.REMEMBERED_BYTES_PER_TENANT,
                        1,
                        times,
                        same -> state.leases.stream()
                                .filter(other -> same.test(other.principal))
                                .mapToLong(state::rememberedBytes)
                                .sum());
        return full.map(quota -> new Refused(Refusal.WINDOW_FULL, quota.subject(), quota.limit(), quota.actual()));
    }

    /** Whether one more request of the principal may wait. */
    Optional<Refused> refuseWaiter(String principal) {
        return refuse(
                principal,
                Limit.WAITERS_PER_PRINCIPAL,
                Limit.WAITERS_PER_TENANT,
                1,
                same -> state.waiters().stream()
                        .filter(request -> same.test(request.lease.principal))
                        .count());
    }

    private Optional<Refused> refuse(
            String principal,
            Limit perPrincipal,
            Limit perTenant,
            long more,
            ToLongFunction<Predicate<String>> countOf) {
        return refuse(principal, perPrincipal, perTenant, more, 1, countOf);
    }

    private Optional<Refused> refuse(
            String principal,
            Limit perPrincipal,
            Limit perTenant,
            long more,
            int times,
            ToLongFunction<Predicate<String>> countOf) {
        String account = account(principal);
        if (account.isEmpty() && !state.has(PlantedBug.NOBODY_HAS_A_QUOTA)) {
            return Optional.empty();
        }
        Optional<Refused> refused = refuse(
                perPrincipal,
                times,
                more + countOf.applyAsLong(other -> account(other).equals(account)));
        String tenant = tenant(account);
        return refused.isPresent() || tenant.isEmpty()
                ? refused
                : refuse(perTenant, times, more + countOf.applyAsLong(other -> belongsTo(tenant, other)));
    }

    private Optional<Refused> refuse(Limit limit, int times, long count) {
        long most = times * state.limit(limit);
        return count > most
                ? Optional.of(new Refused(Refusal.QUOTA_EXCEEDED, limit.name(), most, count))
                : Optional.empty();
    }

    private String account(String principal) {
        return state.has(PlantedBug.CREDENTIAL_IS_A_PRINCIPAL) ? principal : principal.replaceAll("#.*", "");
    }

    private boolean belongsTo(String tenant, String principal) {
        return state.has(PlantedBug.TENANT_IS_A_PREFIX)
                ? principal.startsWith(tenant)
                : tenant(account(principal)).equals(tenant);
    }

    private static String tenant(String account) {
        return account.contains("/") ? account.replaceAll("/.*", "") : "";
    }
}
