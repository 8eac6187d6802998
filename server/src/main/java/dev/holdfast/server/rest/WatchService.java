package dev.holdfast.server.rest;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.holdfast.core.LockKey;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.edge.EventMessages;
import dev.holdfast.server.edge.Headers;
import dev.holdfast.server.edge.NodeParts;
import dev.holdfast.server.edge.Refusals;
import dev.holdfast.server.edge.WatchTiming;
import dev.holdfast.server.edge.Watches;
import dev.holdfast.server.request.Rejected;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.Set;

/** Watches keys: {@code GET /api/v1/watch}. */
final class WatchService implements HttpService {
    private static final String PREFIX = "prefix";
    private static final String CURSOR = "cursor";
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final NodeParts node;
    private final Headers headers;
    private final WatchTiming timing;

    WatchService(NodeParts node, WatchTiming timing) {
        this.node = node;
        this.headers = new Headers(node.facts(), node.replica());
        this.timing = timing;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        Call call = new Call(context, new byte[0]);
        try {
            WatchRequest asked = read(call);
            EventLoop loop = call.loop();
            EventStream stream = new EventStream(call.caller(), loop);
            return stream.open(
                    new Watches(node, headers, EventMessages.withoutLeases(), timing, call.caller(), loop, stream),
                    asked);
        } catch (Rejected rejected) {
            return Reply.of(rejected.error()).response();
        }
    }

    private static WatchRequest read(Call call) {
        call.expect(Set.of(AcquireRequest.RESOURCE, PREFIX, CURSOR, "allEvents"));
        Optional<String> key = call.parameter(AcquireRequest.RESOURCE);
        Optional<String> prefix = call.parameter(PREFIX);
        if (key.isPresent() == prefix.isPresent()) {
            throw Refusals.invalid(AcquireRequest.RESOURCE, "give either a resourceId or a prefix");
        }
        key.filter(text -> !text.isEmpty()).ifPresent(text -> call.caller().require(Verb.READ, LockKey.of(text)));
        WatchRequest.Builder asked = WatchRequest.newBuilder()
                .setKey(key.or(() -> prefix).orElse(""))
                .setPrefix(prefix.isPresent())
                .setAllEvents(call.flag("allEvents"))
                .setProgressNotify(true);
        // What the browser remembers is newer than what the address says.
        call.header(LAST_EVENT_ID)
                .map(text -> Cursor.parse(LAST_EVENT_ID, text))
                .or(() -> call.parameter(CURSOR).map(text -> Cursor.parse(CURSOR, text)))
                .ifPresent(
                        cursor -> asked.setStartRevision(cursor.revision() + 1).setStartEpoch(cursor.epoch()));
        return asked.build();
    }
}
