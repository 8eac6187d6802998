package dev.holdfast.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.server.request.Rejected;
import java.util.Locale;
import java.util.function.Function;

/**
 * What every call passes before anything else looks at it.
 *
 * <p>A route is added to the port as {@code gate.guard(Permission.LOCK, service, errors)}; its service then finds out
 * by {@link Caller#of} who calls.
 */
public final class Gate {
    /** Asks nobody who they are. */
    public static final Gate OPEN = new Gate(authorization -> Principal.ANYBODY);

    private final Authenticator authenticator;

    public Gate(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /**
     * A service that only those with a permission reach.
     *
     * @param refusal how the others are told
     */
    public HttpService guard(Permission permission, HttpService service, Function<Error, HttpResponse> refusal) {
        return new Guarded(service, permission, refusal);
    }

    /** @throws Rejected unless the caller has the permission */
    private void admit(ServiceRequestContext context, Permission permission) {
        if (permission == Permission.PUBLIC) {
            return;
        }
        Principal principal =
                authenticator.authenticate(context.request().headers().get(HttpHeaderNames.AUTHORIZATION));
        if (!has(principal, permission)) {
            throw Denials.denied(
                    permission.name().toLowerCase(Locale.ROOT),
                    principal + " has no " + permission + " permission, which " + context.path() + " asks for");
        }
        Caller.set(context, principal);
    }

    private static boolean has(Principal principal, Permission permission) {
        return permission
                .verb()
                .map(verb -> permission.isForAllKeys() ? principal.mayEverywhere(verb) : principal.maySomewhere(verb))
                .orElse(true);
    }

    /** A service behind the gate. */
    private final class Guarded extends SimpleDecoratingHttpService {
        private final Permission permission;
        private final Function<Error, HttpResponse> refusal;

        Guarded(HttpService service, Permission permission, Function<Error, HttpResponse> refusal) {
            super(service);
            this.permission = permission;
            this.refusal = refusal;
        }

        @Override
        public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
            try {
                admit(context, permission);
            } catch (Rejected refused) {
                return refusal.apply(refused.error());
            }
            return unwrap().serve(context, request);
        }
    }
}
