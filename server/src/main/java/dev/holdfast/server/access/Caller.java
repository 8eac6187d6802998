package dev.holdfast.server.access;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.request.Rejected;
import io.netty.util.AttributeKey;
import java.util.Locale;

/**
 * Who makes a call.
 *
 * @param who the authenticated principal; {@link Principal#ANYBODY} where nobody is asked
 * @param host the address the call comes from
 */
public record Caller(Principal who, String host) {
    /** Nobody in particular: what runs in the node's own process needs no permission. */
    public static final Caller OF_THIS_PROCESS = new Caller(Principal.ANYBODY, "in-process");

    private static final AttributeKey<Principal> PRINCIPAL = AttributeKey.valueOf(Caller.class, "PRINCIPAL");

    /** Who makes this call, as the {@link Gate} it came through found out. */
    public static Caller of(ServiceRequestContext context) {
        Principal principal = context.attr(PRINCIPAL);
        return new Caller(
                principal == null ? Principal.ANYBODY : principal,
                context.remoteAddress().getAddress().getHostAddress());
    }

    static void set(ServiceRequestContext context, Principal principal) {
        context.setAttr(PRINCIPAL, principal);
    }

    /** Whose leases it can use. */
    public String principal() {
        return who.id();
    }

    public boolean mayRead(LockKey key) {
        return who.may(Verb.READ, key);
    }

    /**
     * Goes on only if the caller may do this with the key.
     *
     * @throws Rejected {@code PERMISSION_DENIED} otherwise
     */
    public void require(Verb verb, LockKey key) {
        if (!who.may(verb, key)) {
            throw Denials.denied(
                    key.toString(), who + " may not " + verb.name().toLowerCase(Locale.ROOT) + " key " + key);
        }
    }
}
