package dev.holdfast.server.rest;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.core.LockKey;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.node.NodeCore;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.request.Rejected;
import dev.holdfast.server.watch.KeyEvents;
import dev.holdfast.server.watch.WatchSpec;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.Set;

/** Watches keys: {@code GET /api/v1/watch}. */
final class WatchService implements HttpService {
    private static final String PREFIX = "prefix";
    private static final String CURSOR = "cursor";
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final NodeCore node;
    private final Watches.Timing timing;

    WatchService(NodeCore node, Watches.Timing timing) {
        this.node = node;
        this.timing = timing;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        Call call = new Call(context, new byte[0]);
        try {
            Watches.Options asked = read(call);
            EventLoop loop = call.loop();
            EventStream stream = new EventStream(call.caller(), loop, node.replica()::epoch);
            return stream.open(
                    new Watches(
                            node.watches(),
                            node.replica(),
                            KeyEvents.withoutLeases(),
                            timing,
                            call.caller(),
                            loop,
                            stream),
                    asked);
        } catch (Rejected rejected) {
            return Reply.of(rejected.rejection()).response();
        }
    }

    private static Watches.Options read(Call call) {
        call.expect(Set.of(AcquireRequest.RESOURCE, PREFIX, CURSOR, "allEvents"));
        Optional<String> key = call.parameter(AcquireRequest.RESOURCE);
        Optional<String> prefix = call.parameter(PREFIX);
        if (key.isPresent() == prefix.isPresent()) {
            throw Rejected.invalid(AcquireRequest.RESOURCE, "give either a resourceId or a prefix");
        }
        key.filter(text -> !text.isEmpty()).ifPresent(text -> call.caller().require(Verb.READ, LockKey.of(text)));
        // What the browser remembers is newer than what the address says.
        Optional<Cursor> cursor = call.header(LAST_EVENT_ID)
                .map(text -> cursor(LAST_EVENT_ID, text))
                .or(() -> call.parameter(CURSOR).map(text -> cursor(CURSOR, text)));
        String watched = key.or(() -> prefix).orElse("");
        WatchSpec spec = cursor.map(from -> WatchSpec.behind(watched, prefix.isPresent(), from))
                .orElseGet(() -> new WatchSpec(watched, prefix.isPresent(), 0, WatchSpec.NO_EPOCH));
        return new Watches.Options(0, spec, call.flag("allEvents"), false, true);
    }

    private static Cursor cursor(String field, String text) {
        return Cursor.parse(text)
                .orElseThrow(() -> Rejected.invalid(
                        field, "is not a cursor; use the id of a message, or leave it out to watch from now on"));
    }
}
