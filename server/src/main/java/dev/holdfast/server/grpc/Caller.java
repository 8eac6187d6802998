package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AttributeKey;

/**
 * Who makes a call.
 *
 * @param principal who was authenticated; empty where nobody is
 * @param host the address the call comes from
 */
public record Caller(String principal, String host) {
    /** Nobody in particular: what runs in the node's own process needs no permission. */
    static final Caller OF_THIS_PROCESS = new Caller("", "in-process");

    /** Set on the request by whatever authenticates it, before a service sees it. */
    private static final AttributeKey<String> PRINCIPAL = AttributeKey.valueOf(Caller.class, "PRINCIPAL");

    static Caller of(ServiceRequestContext context) {
        String principal = context.attr(PRINCIPAL);
        return new Caller(
                principal == null ? "" : principal,
                context.remoteAddress().getAddress().getHostAddress());
    }

    /** Says on whose behalf a call is made. */
    public static void authenticated(ServiceRequestContext context, String principal) {
        context.setAttr(PRINCIPAL, principal);
    }
}
