package dev.holdfast.server.access;

import dev.holdfast.core.LockKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Somebody who can hold leases, and what they may do.
 *
 * <p>One who belongs to a tenant can do nothing with keys outside {@code tenant/}, whatever was granted: so tenants
 * share one space of keys, and none of them sees another's.
 */
public final class Principal {
    /** Where nobody is asked who they are: may do everything. */
    public static final Principal ANYBODY =
            new Principal("", "", List.of(new KeyPermission("", Verb.ADMIN)), Long.MAX_VALUE, true);

    /** One who has yet to say who they are: may do nothing. */
    public static final Principal NOBODY = new Principal("/", "", List.of(), Long.MAX_VALUE, false);

    private final String id;
    private final String tenant;
    private final byte[] home;
    private final List<KeyPermission> grants;
    private final long knownUntilMillis;
    private final boolean unbounded;

    private Principal(String id, String tenant, List<KeyPermission> grants, long knownUntilMillis, boolean unbounded) {
        this.id = id;
        this.tenant = tenant;
        this.home = (tenant.isEmpty() ? "" : tenant + '/').getBytes(StandardCharsets.UTF_8);
        this.grants = List.copyOf(grants);
        this.knownUntilMillis = knownUntilMillis;
        this.unbounded = unbounded;
    }

    /**
     * Somebody who was authenticated.
     *
     * @param name unique within the tenant
     * @param tenant without a slash; empty for none
     * @param knownUntilMillis when they have to authenticate again, by the wall clock
     */
    public static Principal of(String name, String tenant, List<KeyPermission> grants, long knownUntilMillis) {
        if (tenant.indexOf('/') >= 0) {
            throw new IllegalArgumentException("tenant: must not contain a slash, was \"" + tenant + '"');
        }
        // Always with the slash: no name makes one who has no tenant look like one who has. And never with a '#',
        // which begins what tells the leases of one principal apart.
        String unambiguous = name.replace("%", "%25").replace("#", "%23");
        return new Principal(tenant + '/' + unambiguous, tenant, grants, knownUntilMillis, false);
    }

    /** Whose leases are whose: {@code tenant/name}, with {@code %23} for a {@code #}, and empty for anybody. */
    public String id() {
        return id;
    }

    /** Whether nobody was asked. */
    boolean isAnybody() {
        return unbounded;
    }

    /** Empty for none. */
    public String tenant() {
        return tenant;
    }

    public long knownUntilMillis() {
        return knownUntilMillis;
    }

    public boolean may(Verb verb, LockKey key) {
        if (unbounded) {
            return true;
        }
        byte[] name = key.utf8();
        if (name.length < home.length || !Arrays.equals(name, 0, home.length, home, 0, home.length)) {
            return false;
        }
        for (KeyPermission grant : grants) {
            if (grant.allows(verb) && grant.covers(key)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there can be a key with which they may do this. */
    public boolean maySomewhere(Verb verb) {
        return unbounded || grants.stream().anyMatch(grant -> grant.allows(verb) && meetsHome(grant.prefix()));
    }

    /** Whether they may do this with every key there can be. */
    public boolean mayEverywhere(Verb verb) {
        return unbounded
                || (tenant.isEmpty()
                        && grants.stream()
                                .anyMatch(grant ->
                                        grant.allows(verb) && grant.prefix().isEmpty()));
    }

    /**
     * The part of a prefix that they may read, as prefixes in key order of which none covers another: every key that
     * begins so may be read, and no other one that begins with {@code prefix}.
     */
    public List<String> readableUnder(String prefix) {
        if (unbounded) {
            return List.of(prefix);
        }
        String own = tenant.isEmpty() ? "" : tenant + '/';
        List<String> found = new ArrayList<>();
        grants.stream()
                .flatMap(grant -> narrower(own, grant.prefix()).stream())
                .flatMap(granted -> narrower(prefix, granted).stream())
                .sorted((one, other) -> Arrays.compareUnsigned(
                        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)))
                .forEach(each -> {
                    if (found.isEmpty() || !each.startsWith(found.get(found.size() - 1))) {
                        found.add(each);
                    }
                });
        return found;
    }

    /** What begins with both. */
    private static Optional<String> narrower(String one, String other) {
        if (one.startsWith(other)) {
            return Optional.of(one);
        }
        return other.startsWith(one) ? Optional.of(other) : Optional.empty();
    }

    private boolean meetsHome(String prefix) {
        return narrower(tenant.isEmpty() ? "" : tenant + '/', prefix).isPresent();
    }

    @Override
    public String toString() {
        return unbounded ? "anybody" : id;
    }
}
