package dev.holdfast.server.websocket;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Permission;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.request.Rejection;

/**
 * The first message of a client that could not say in a header who it is, as web pages cannot: {@code {"token": …}}.
 */
final class Login {
    private static final String TOKEN = "token";

    private final Gate gate;
    private final ServiceRequestContext context;

    Login(Gate gate, ServiceRequestContext context) {
        this.gate = gate;
        this.context = context;
    }

    /**
     * Who the client is.
     *
     * @throws Rejected if the message is anything but the token of somebody who may lock
     */
    Caller read(byte[] message) {
        Fields fields = new Fields(Json.parse(message));
        String token = fields.text(TOKEN)
                .orElseThrow(() ->
                        unknown("the first message must be {\"token\": \"…\"}").toException());
        fields.done();
        return gate.admit("Bearer " + token, Permission.LOCK, context);
    }

    static Rejection tooLate() {
        return unknown("no token came within " + SocketEdge.LOGIN_TIME.toSeconds() + " s");
    }

    private static Rejection unknown(String why) {
        return Rejection.of(ErrorCode.UNAUTHENTICATED, TOKEN, why);
    }
}
