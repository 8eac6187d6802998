package dev.holdfast.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerConfig;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What every call on a port passes before anything else looks at it.
 *
 * <p>A route is added as {@code gate.guard(Permission.LOCK, service, errors)}, gRPC services by {@link #guardCalls}; what
 * was added in another way keeps the node from starting, by {@link #requireGuarded}. A service finds out by
 * {@link Caller#of} who calls.
 */
public final class Gate {
    /** Finds out who calls. Never waits. */
    @FunctionalInterface
    public interface Authenticator {
        /**
         * Who presents this.
         *
         * @param authorization the header of that name, if there is one
         * @throws Rejected {@code UNAUTHENTICATED} if it proves nobody
         */
        Principal authenticate(@Nullable String authorization);
    }

    /** Asks nobody who they are. */
    public static final Gate OPEN = open(Origins.NONE);

    private final Authenticator authenticator;
    private final Members members;
    private final Allowance allowance;
    private final Origins origins;

    public Gate(Authenticator authenticator, Members members, Allowance allowance, Origins origins) {
        this.authenticator = authenticator;
        this.members = members;
        this.allowance = allowance;
        this.origins = origins;
    }

    /** Asks nobody who they are, but web pages where they are from. */
    public static Gate open(Origins origins) {
        return new Gate(authorization -> Principal.ANYBODY, Members.UNPROVEN, Allowance.UNLIMITED, origins);
    }

    /**
     * A service that only those with a permission reach.
     *
     * @param refusal how the others are told
     */
    public HttpService guard(Permission permission, HttpService service, Function<Rejection, HttpResponse> refusal) {
        return new Route(service, permission, refusal);
    }

    /** Services that pass each of their calls through {@link #admit(ServiceRequestContext, Permission)} themselves. */
    public static HttpService guardCalls(HttpService services) {
        return new Calls(services);
    }

    /** Fails if there is a way into this server past a gate. */
    public static void requireGuarded(ServerConfig server) {
        for (ServiceConfig config : server.serviceConfigs()) {
            if (config.service().as(Guarded.class) == null) {
                throw new IllegalStateException(
                        config.route() + " declares no permission: add it by Gate.guard or Gate.guardCalls");
            }
        }
    }

    /**
     * Lets somebody through who says only now who they are: for a connection that does so in its first message.
     *
     * @param authorization as the header would have it, {@code Bearer …}
     * @throws Rejected if it proves nobody, or nobody who may
     */
    public Caller admit(String authorization, Permission permission, ServiceRequestContext context) {
        Caller caller = caller(authorization, context);
        admit(caller, permission, context);
        return caller;
    }

    private Caller caller(@Nullable String authorization, ServiceRequestContext context) {
        return Caller.of(authenticator.authenticate(authorization), context, allowance);
    }

    /** Lets a call through, or throws {@link Rejected}; afterwards {@link Caller#of} knows who makes it. */
    public Caller admit(ServiceRequestContext context, Permission permission) {
        if (permission == Permission.PUBLIC) {
            return Caller.of(context);
        }
        origins.check(context.request().headers());
        if (permission == Permission.PEER) {
            admitMember(context);
            return Caller.of(context);
        }
        Caller caller = known(context, permission);
        Caller.set(context, caller);
        if (!caller.isUnknown()) {
            admit(caller, permission == Permission.LOGIN ? Permission.LOCK : permission, context);
        }
        return caller;
    }

    /** Counts a refusal of {@link #admit}; says how many nanoseconds later it is to be given. */
    public long refused(ServiceRequestContext context) {
        Caller known = Caller.of(context);
        return known.allowance() == Allowance.UNLIMITED
                ? Caller.of(Principal.NOBODY, context, allowance).refused()
                : known.refused();
    }

    private static void admit(Caller caller, Permission permission, ServiceRequestContext context) {
        if (!has(caller.who(), permission)) {
            throw Rejected.denied(
                    permission.name().toLowerCase(Locale.ROOT),
                    caller.who() + " has no " + permission + " permission, which " + context.path() + " asks for");
        }
        if (permission != Permission.OWN) {
            caller.spend();
        }
    }

    /**
     * By its token; a member without one, which passes on what an operator asked of it, by its certificate. One who may
     * say it later is nobody until then.
     */
    private Caller known(ServiceRequestContext context, Permission permission) {
        String authorization = context.request().headers().get(HttpHeaderNames.AUTHORIZATION);
        if (authorization == null && permission.isForAllKeys() && context.sslSession() != null) {
            Optional<String> member =
                    members.at(context.sslSession()).filter(name -> !name.isEmpty() && members.isCurrent(name));
            if (member.isPresent()) {
                Principal node = Principal.of(
                        "node:" + member.get(), "", List.of(new KeyPermission("", Verb.ADMIN)), Long.MAX_VALUE);
                return Caller.of(node, context, Allowance.UNLIMITED);
            }
        }
        try {
            return caller(authorization, context);
        } catch (Rejected unknown) {
            if (authorization == null && permission == Permission.LOGIN) {
                return Caller.of(Principal.NOBODY, context, allowance);
            }
            throw unknown;
        }
    }

    private void admitMember(ServiceRequestContext context) {
        String name = members.at(context.sslSession())
                .orElseThrow(() -> Rejected.denied(
                        "peer", "only a member of this cluster may call " + context.path() + ", by its certificate"));
        if (!name.isEmpty()) {
            Caller.setMember(context, name);
        }
    }

    private static boolean has(Principal principal, Permission permission) {
        if (principal.isAnybody()) {
            return true;
        }
        return permission
                .verb()
                .map(verb -> permission.isForAllKeys() ? principal.mayEverywhere(verb) : principal.maySomewhere(verb))
                .orElse(true);
    }

    /** A service that cannot be reached but through a gate. */
    private abstract static class Guarded extends SimpleDecoratingHttpService {
        Guarded(HttpService service) {
            super(service);
        }
    }

    /** gRPC services, whose gate is an interceptor: it refuses as gRPC does. */
    private static final class Calls extends Guarded {
        Calls(HttpService service) {
            super(service);
        }

        @Override
        public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
            RequestDeadline.met(context);
            return unwrap().serve(context, request);
        }
    }

    private final class Route extends Guarded {
        private final Permission permission;
        private final Function<Rejection, HttpResponse> refusal;

        Route(HttpService service, Permission permission, Function<Rejection, HttpResponse> refusal) {
            super(service);
            this.permission = permission;
            this.refusal = refusal;
        }

        @Override
        public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
            RequestDeadline.met(context);
            try {
                admit(context, permission);
            } catch (Rejected refused) {
                HttpResponse answer = refusal.apply(refused.rejection());
                long wait = refused(context);
                return wait == 0 ? answer : HttpResponse.delayed(answer, Duration.ofNanos(wait), context.eventLoop());
            }
            return unwrap().serve(context, request);
        }
    }
}
