package dev.holdfast.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.core.LockKey;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;
import io.netty.channel.EventLoop;
import io.netty.util.AsciiString;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call.
 *
 * @param who the authenticated principal; {@link Principal#ANYBODY} where nobody is asked
 * @param host the address the call comes from
 * @param connection the connection it comes by
 * @param allowance how much it may ask
 */
public record Caller(Principal who, String host, String connection, Allowance allowance) {
    /** Nobody in particular: what runs in the node's own process needs no permission. */
    public static final Caller OF_THIS_PROCESS = new Caller(Principal.ANYBODY, "in-process", "", Allowance.UNLIMITED);

    private static final AttributeKey<Caller> CALLER = AttributeKey.valueOf(Caller.class, "CALLER");
    private static final AttributeKey<String> MEMBER = AttributeKey.valueOf(Caller.class, "MEMBER");

    private static final AsciiString TRACEPARENT = HttpHeaderNames.of("traceparent");

    /** Who makes this call, as the {@link Gate} it came through found out. */
    public static Caller of(ServiceRequestContext context) {
        Caller caller = context.attr(CALLER);
        return caller == null ? of(Principal.ANYBODY, context, Allowance.UNLIMITED) : caller;
    }

    /** The member that makes this call, where members are known by their certificates. */
    public static Optional<String> memberOf(ServiceRequestContext context) {
        return Optional.ofNullable(context.attr(MEMBER));
    }

    /** The trace that this call is part of, if its caller says so: W3C's {@code traceparent}. */
    public static @Nullable String traceOf(ServiceRequestContext context) {
        return context.request().headers().get(TRACEPARENT);
    }

    static Caller of(Principal who, ServiceRequestContext context, Allowance allowance) {
        InetSocketAddress from = context.remoteAddress();
        String host = from.getAddress().getHostAddress();
        return new Caller(who, host, host + ':' + from.getPort(), allowance);
    }

    static void set(ServiceRequestContext context, Caller caller) {
        context.setAttr(CALLER, caller);
    }

    static void setMember(ServiceRequestContext context, String name) {
        context.setAttr(MEMBER, name);
    }

    /** Whose turn its requests wait for. Where nobody is asked who they are, hosts are told apart. */
    public Flow flow() {
        return new Flow(who.isAnybody() ? host : who.id(), connection);
    }

    /** Whose leases it can use. */
    public String principal() {
        return who.id();
    }

    /** What it is counted as here; where nobody is asked who they are, callers are told apart by their address. */
    public String name() {
        return who.isAnybody() ? host : who.id();
    }

    /** Whether it has yet to say who it is. */
    public boolean isUnknown() {
        return who == Principal.NOBODY;
    }

    /**
     * Ends something that lives no longer than the credentials it was opened by.
     *
     * @param loop where {@code end} runs, with what the client is to be told
     * @return to be run if it ends before
     */
    public Runnable atExpiry(EventLoop loop, Consumer<Rejection> end) {
        if (who.knownUntilMillis() == Long.MAX_VALUE) {
            return () -> {};
        }
        long left = Math.max(who.knownUntilMillis() - System.currentTimeMillis(), 0);
        Future<?> timer = loop.schedule(() -> end.accept(Rejected.expired().rejection()), left, TimeUnit.MILLISECONDS);
        return () -> timer.cancel(false);
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
            throw Rejected.denied(key.toString(), who + " may not " + word(verb) + " key " + key);
        }
    }

    /**
     * Goes on only if there is some key that the caller may do this with.
     *
     * @throws Rejected {@code PERMISSION_DENIED} otherwise
     */
    public void requireSomewhere(Verb verb) {
        if (!who.maySomewhere(verb)) {
            throw Rejected.denied(word(verb), who + " may not " + word(verb) + " any key");
        }
    }

    /**
     * The part of a prefix that the caller may read: see {@link Principal#readableUnder}.
     *
     * @throws Rejected {@code PERMISSION_DENIED} if there is none
     */
    public List<String> requireReadableUnder(String prefix) {
        List<String> readable = who.readableUnder(prefix);
        if (readable.isEmpty()) {
            throw Rejected.denied(prefix, who + " may not read any key that starts with \"" + prefix + '"');
        }
        return readable;
    }

    /**
     * Counts a request against what the caller may ask; calls that pass a {@link Gate} are counted there.
     *
     * @throws Rejected {@code RATE_LIMITED} if it is too much
     */
    public void spend() {
        if (allowance != Allowance.UNLIMITED) {
            allowance.spend(this);
        }
    }

    /**
     * Counts a watch of the caller; {@link #watchEnded} follows, unless this fails.
     *
     * @throws Rejected {@code QUOTA_EXCEEDED} if it is one too many
     */
    public void watchBegins() {
        allowance.watchBegins(this);
    }

    public void watchEnded() {
        allowance.watchEnded(this);
    }

    /**
     * Counts that it was refused something: whoever asks in vain all the time gets its answers later.
     *
     * @return how many nanoseconds later
     */
    public long refused() {
        return allowance == Allowance.UNLIMITED ? 0 : allowance.refused(who, connection);
    }

    private static String word(Verb verb) {
        return verb.name().toLowerCase(Locale.ROOT);
    }
}
