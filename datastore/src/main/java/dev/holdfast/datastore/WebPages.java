package dev.holdfast.datastore;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Keeps web pages out: the store asks nobody who they are, and has no pages of its own.
 *
 * <p>A browser says in {@code Origin} that a page asks. Not so if the page only reads and its name was pointed at this
 * machine, for then the store is its own site: a store that serves this machine alone is therefore called by no other
 * name than this machine's own.
 */
final class WebPages implements DecoratingHttpServiceFunction {
    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[(::1|(0:){7}1)])(:\\d+)?");

    private final boolean local;

    WebPages(InetSocketAddress address) {
        this.local = address.getAddress().isLoopbackAddress();
    }

    @Override
    public HttpResponse serve(HttpService store, ServiceRequestContext context, HttpRequest request) throws Exception {
        if (request.headers().contains(HttpHeaderNames.ORIGIN)) {
            return Answers.denied("Origin", "web pages may not do this");
        }
        String host = String.valueOf(request.authority()).toLowerCase(Locale.ROOT);
        if (local && !LOOPBACK.matcher(host).matches()) {
            return Answers.denied("Host", host + " is no name of this machine alone; use localhost or 127.0.0.1");
        }
        return store.serve(context, request);
    }
}
