package dev.holdfast.server.rest;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.request.Rejection;
import java.util.Set;

/**
 * Lets only pages of this node and of listed sites in.
 *
 * <p>A browser sends the credentials it has for this node along with whatever page asks it to, or needs none on
 * the machine it runs on, and says which site the page is of. Programs that are no browsers say nothing and are let through.
 */
public final class Origins extends SimpleDecoratingHttpService {
    private final Set<String> allowed;

    /**
     * A service for some pages only.
     *
     * @param allowed other sites, such as {@code https://example.com}
     */
    public Origins(HttpService service, Set<String> allowed) {
        super(service);
        this.allowed = allowed;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        if (origin == null || origin.equals(ownOrigin(context, request)) || allowed.contains(origin)) {
            return unwrap().serve(context, request);
        }
        return Reply.of(Rejection.of(
                        ErrorCode.PERMISSION_DENIED, "Origin", "Origin: pages of this site may not do this"))
                .response();
    }

    private static String ownOrigin(ServiceRequestContext context, HttpRequest request) {
        return (context.sessionProtocol().isTls() ? "https://" : "http://") + request.authority();
    }
}
