package dev.holdfast.server.rest;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.request.Rejection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Answers what no route is for: there is no such path, or it wants another method. */
final class NoRoute implements HttpService {
    private static final String PATH = "path";
    private final List<RestEdge.Route> routes;

    NoRoute(List<RestEdge.Route> routes) {
        this.routes = routes;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        String[] parts = split(context.path());
        String allowed = routes.stream()
                .filter(route -> matches(split(route.path()), parts))
                .map(route -> route.method().name())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (allowed.isEmpty()) {
            return Reply.of(Rejection.of(
                            ErrorCode.NOT_FOUND, PATH, "nothing is served here; /api/v1/openapi.json lists the paths"))
                    .response();
        }
        Reply reply = Reply.of(
                Rejection.of(ErrorCode.INVALID_ARGUMENT, "method", "method: this path is for " + allowed),
                HttpStatus.METHOD_NOT_ALLOWED.code());
        return new Reply(reply.status(), Map.of(HttpHeaderNames.ALLOW, allowed), reply.body()).response();
    }

    private static String[] split(String path) {
        return path.split("/", -1);
    }

    private static boolean matches(String[] template, String[] parts) {
        if (template.length != parts.length) {
            return false;
        }
        for (int i = 0; i < parts.length; i++) {
            if (!template[i].equals(parts[i]) && !(template[i].startsWith("{") && !parts[i].isEmpty())) {
                return false;
            }
        }
        return true;
    }
}
