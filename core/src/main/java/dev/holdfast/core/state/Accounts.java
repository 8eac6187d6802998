package dev.holdfast.core.state;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who has leases, or had some that are remembered: principals, and the tenants they belong to.
 *
 * <p>A principal is {@code tenant/name#credential}. The credential tells the leases of one principal apart, as the edge
 * for HTTP needs it; they have one account. All of it follows from the leases and tombstones, so a snapshot has no
 * accounts: they are counted again while it is read.
 */
public final class Accounts {
    private static final char TENANT_END = '/';
    private static final char CREDENTIAL_START = '#';

    /** Never iterated, so their order does not matter. */
    private final Map<String, Account> principals = new HashMap<>();

    private final Map<String, Account> tenants = new HashMap<>();

    /** What this principal has; one that has nothing is not remembered for the question. */
    public Account find(String principal) {
        String name = nameOf(principal);
        Account known = principals.get(name);
        return known != null ? known : new Account(name, tenantOf(name, false));
    }

    /** The account of a principal that is about to have something. */
    Account open(String principal) {
        String name = nameOf(principal);
        Account known = principals.get(name);
        if (known == null) {
            known = new Account(name, tenantOf(name, true));
            principals.put(name, known);
        }
        return known;
    }

    void closeIfIdle(Account principal) {
        if (principal.isIdle()) {
            principals.remove(principal.name());
            Account tenant = principal.tenant();
            if (tenant != null && tenant.isIdle()) {
                tenants.remove(tenant.name());
            }
        }
    }

    private @Nullable Account tenantOf(String name, boolean remembered) {
        int end = name.indexOf(TENANT_END);
        if (end < 1) {
            return null;
        }
        String tenant = name.substring(0, end);
        Account known = tenants.get(tenant);
        if (known == null) {
            known = new Account(tenant, null);
            if (remembered) {
                tenants.put(tenant, known);
            }
        }
        return known;
    }

    private static String nameOf(String principal) {
        int end = principal.indexOf(CREDENTIAL_START);
        return end < 0 ? principal : principal.substring(0, end);
    }
}
