package dev.holdfast.server.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.access.Caller;
import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Tells the running handler about its call, whatever carries it. Asked on the event loop of the call. */
public abstract class CallScopes {
    /** For calls that come in by a port. */
    public static final CallScopes ON_PORT = new OnPort();

    /**
     * What is known of a call besides its request.
     *
     * @param loop everything about the call is confined to it
     * @param traceparent the trace that the call is part of
     */
    record Scope(Caller caller, EventLoop loop, @Nullable String traceparent) {}

    private CallScopes() {}

    /**
     * For calls that never leave the process: all of them share one event loop, on which their handlers run.
     *
     * @param blocking where what takes time may wait
     */
    public static CallScopes inProcess(EventLoop loop, Executor blocking) {
        return new InProcess(loop, blocking);
    }

    abstract Scope current();

    /** Lifts the bounds on the length and the duration of a whole call: a stream lives as long as it likes. */
    abstract Scope endless();

    /** Where what takes time may wait, for the event loop must not. */
    abstract Executor blocking();

    private static final class OnPort extends CallScopes {
        @Override
        Scope current() {
            return scope(ServiceRequestContext.current());
        }

        @Override
        Scope endless() {
            ServiceRequestContext context = ServiceRequestContext.current();
            context.setMaxRequestLength(0);
            context.clearRequestTimeout();
            return scope(context);
        }

        @Override
        Executor blocking() {
            return ServiceRequestContext.current().blockingTaskExecutor();
        }

        private static Scope scope(ServiceRequestContext context) {
            return new Scope(Caller.of(context), context.eventLoop().withoutContext(), Caller.traceOf(context));
        }
    }

    private static final class InProcess extends CallScopes {
        private final Scope scope;
        private final Executor blocking;

        InProcess(EventLoop loop, Executor blocking) {
            this.scope = new Scope(Caller.OF_THIS_PROCESS, loop, null);
            this.blocking = blocking;
        }

        @Override
        Scope current() {
            return scope;
        }

        @Override
        Scope endless() {
            return scope;
        }

        @Override
        Executor blocking() {
            return blocking;
        }
    }
}
