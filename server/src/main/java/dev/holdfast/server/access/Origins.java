package dev.holdfast.server.access;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.settings.HostPort;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which web pages may call a node, and by which names it may be called.
 *
 * <p>A browser sends the credentials it has for this node along with whatever page asks it to, or needs none on the
 * machine it runs on, and says in {@code Origin} which site the page is of. Programs that are no browsers say nothing and
 * are let through. What the request calls the node, in {@code Host}, proves nothing: whoever owns a name can point it at
 * this machine, and is then the node's own site to a browser. So a node knows by itself what it is called. Requests that
 * only read carry no {@code Origin} then; where no token is needed, {@code Host} has to be one of those names.
 */
public final class Origins {
    /** No page may, and programs call the node as they like. */
    public static final Origins NONE = new Origins(Set.of(), Set.of(), false);

    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final Set<String> pages;
    private final Set<String> hosts;
    private final boolean checksHost;

    private Origins(Set<String> pages, Set<String> hosts, boolean checksHost) {
        this.pages = Set.copyOf(pages);
        this.hosts = Set.copyOf(hosts);
        this.checksHost = checksHost;
    }

    /**
     * Those of a node.
     *
     * @param bound what it listens on
     * @param advertised where it says that it is found
     * @param listed other sites, such as {@code https://locks.example.com}
     * @param open whether it asks nobody who they are
     */
    public static Origins of(HostPort bound, HostPort advertised, boolean tls, Set<String> listed, boolean open) {
        Set<String> pages = new HashSet<>(listed);
        Set<String> hosts = new HashSet<>();
        LOOPBACK.forEach(host -> pages.add(origin(new HostPort(host, bound.port()), tls)));
        pages.add(origin(advertised, tls));
        hosts.add(advertised.host().toLowerCase(Locale.ROOT));
        listed.forEach(origin -> hosts.add(hostOf(URI.create(origin).getRawAuthority())));
        // Beyond loopback, who leaves it open has said that everybody on that network may come.
        return new Origins(pages, hosts, open && bound.isLoopback());
    }

    /** As browsers write it. */
    private static String origin(HostPort address, boolean tls) {
        String text = (tls ? "https://" : "http://") + address.toString().toLowerCase(Locale.ROOT);
        return address.port() == (tls ? HTTPS : HTTP) ? text.substring(0, text.lastIndexOf(':')) : text;
    }

    /** Throws {@link Rejected} if a request is not to be served. */
    void check(RequestHeaders headers) {
        String origin = headers.get(HttpHeaderNames.ORIGIN);
        if (origin != null && !pages.contains(origin)) {
            throw denied("Origin", "pages of this site may not do this; web.origins lists those that may");
        }
        String authority = headers.authority();
        if (checksHost && (authority == null || !isOwn(hostOf(authority)))) {
            throw denied(
                    "Host", authority + " is no name of this node, which asks for no token; web.origins adds names");
        }
    }

    private boolean isOwn(String host) {
        return hosts.contains(host) || new HostPort(host, 1).isLoopback();
    }

    /** In lower case; an IPv6 address without its brackets. */
    private static String hostOf(String authority) {
        int port = authority.lastIndexOf(':');
        String host = port > authority.lastIndexOf(']') ? authority.substring(0, port) : authority;
        return (host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host)
                .toLowerCase(Locale.ROOT);
    }

    private static Rejected denied(String header, String why) {
        return Rejected.denied(header, header + ": " + why);
    }
}
