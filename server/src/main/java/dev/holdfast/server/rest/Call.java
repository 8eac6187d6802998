package dev.holdfast.server.rest;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.request.Rejected;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request while it is answered. Confined to its event loop. */
final class Call {
    private static final int MAX_HEADER_CHARACTERS = 255;

    private final ServiceRequestContext context;
    private final byte[] body;
    private final QueryParams query;
    private @Nullable Runnable left;
    private boolean gone;

    Call(ServiceRequestContext context, byte[] body) {
        this.context = context;
        this.body = body;
        this.query = context.queryParams();
    }

    Caller caller() {
        return Caller.of(context);
    }

    /** Where everything about this request happens. */
    EventLoop loop() {
        return context.eventLoop().withoutContext();
    }

    /** The fields of the JSON object that was sent. */
    Fields fields() {
        return new Fields(Json.parse(body));
    }

    /** A part of the path. */
    String part(String name) {
        String value = context.pathParam(name);
        return value == null ? "" : Fields.wellFormed(name, value);
    }

    /** A header that was sent once and is not empty. */
    Optional<String> header(String name) {
        String value = context.request().headers().get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value.isEmpty() || value.length() > MAX_HEADER_CHARACTERS) {
            throw Rejected.invalid(
                    name,
                    MAX_HEADER_CHARACTERS,
                    value.length(),
                    "must have 1 to " + MAX_HEADER_CHARACTERS + " characters");
        }
        return Optional.of(value);
    }

    /** Refuses parameters that mean nothing here: a mistyped one would be ignored. */
    void expect(Set<String> parameters) {
        for (String name : query.names()) {
            if (!parameters.contains(name)) {
                throw Rejected.invalid(name, "is not a parameter of this request; known parameters: " + parameters);
            }
            if (query.getAll(name).size() > 1) {
                throw Rejected.invalid(name, "is given twice");
            }
        }
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).map(value -> Fields.wellFormed(name, value));
    }

    boolean flag(String name) {
        return parameter(name)
                .map(value -> switch (value) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw Rejected.invalid(name, "must be true or false");
                })
                .orElse(false);
    }

    long number(String name, long ifNone, long most) {
        return parameter(name)
                .map(value -> {
                    try {
                        long number = Long.parseLong(value);
                        if (number >= 1 && number <= most) {
                            return number;
                        }
                    } catch (NumberFormatException e) {
                        throw Rejected.invalid(name, "must be a whole number from 1 to " + most);
                    }
                    throw Rejected.invalid(name, "must be a whole number from 1 to " + most);
                })
                .orElse(ifNone);
    }

    /** What to do if the client does not wait for the answer, or cannot be given it. */
    void whenLeft(Runnable action) {
        Runnable others = left;
        left = others == null
                ? action
                : () -> {
                    others.run();
                    action.run();
                };
        if (others == null) {
            // The response itself would not tell: it is over when it is handed over to be written.
            var unused = context.log().whenComplete().thenAcceptAsync(this::ended, loop());
        } else if (gone) {
            action.run();
        }
    }

    private void ended(RequestLog log) {
        Runnable action = left;
        if (log.responseCause() != null && action != null) {
            gone = true;
            action.run();
        }
    }

    boolean hasLeft() {
        return gone;
    }
}
