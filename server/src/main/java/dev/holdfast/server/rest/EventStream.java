package dev.holdfast.server.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.holdfast.core.LockKey;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.edge.Watches;
import dev.holdfast.server.json.Json;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One watch as server-sent events. Confined to the event loop of its request.
 *
 * <p>Each message is one transition, with all its keys, and its id is the cursor behind it: a client that comes back
 * with the last id it saw, to whichever node, goes on there. A watch that cannot begin is answered as any request is;
 * one that ends later says why in a last message named {@code error}. Only keys that its reader may see are in it.
 */
final class EventStream implements Watches.Output {
    private static final ResponseHeaders HEADERS = ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.EVENT_STREAM)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build();

    private final Caller caller;
    private final EventLoop loop;
    private final HttpResponseWriter out = HttpResponse.streaming();
    private @Nullable Watches watches;
    private @Nullable Error refused;
    private boolean opening = true;
    private boolean full;

    EventStream(Caller caller, EventLoop loop) {
        this.caller = caller;
        this.loop = loop;
    }

    /** Starts the watch: an event stream, or the reason why there is none. */
    HttpResponse open(Watches opened, WatchRequest request) {
        watches = opened;
        Runnable noLongerExpiring = caller.atExpiry(loop, this::end);
        var unused = out.whenComplete()
                .whenCompleteAsync(
                        (done, failure) -> {
                            noLongerExpiring.run();
                            opened.close();
                        },
                        loop);
        opened.handle(0, request);
        opening = false;
        if (refused != null) {
            out.abort();
            return Reply.of(refused).response();
        }
        return out;
    }

    @Override
    public boolean isReady() {
        return !full && out.isOpen();
    }

    @Override
    public void send(long messageId, WatchResponse response) {
        if (response.getCanceled()) {
            end(response);
        } else if (response.getCreated()) {
            begin(response);
        } else {
            write(messages(response));
        }
    }

    /** The client gets a cursor at once, so that it can come back even if nothing happens. */
    private void begin(WatchResponse response) {
        out.write(HEADERS);
        write("retry: 1000\n" + id(response, response.getResumeRevision() - 1) + "\n");
    }

    private void end(WatchResponse response) {
        if (opening) {
            refused = error(response);
        } else {
            end(error(response));
        }
    }

    private void end(Error error) {
        write("event: error\ndata: " + Reply.of(error).body() + "\n\n");
        out.close();
    }

    /** What a watch is about is its cursor, whatever else it is called inside. */
    private static Error error(WatchResponse response) {
        return response.getError().toBuilder().setSubject("cursor").build();
    }

    private String messages(WatchResponse response) {
        StringBuilder text = new StringBuilder();
        List<Event> events = response.getEventsList().stream()
                .filter(event -> caller.mayRead(LockKey.of(event.getKv().getKey())))
                .toList();
        for (int from = 0; from < events.size(); ) {
            int to = from;
            long revision = events.get(from).getRevision();
            ObjectNode body = Json.object();
            body.put("revision", revision);
            ArrayNode array = body.putArray("events");
            while (to < events.size() && events.get(to).getRevision() == revision) {
                array.add(JsonMapper.event(events.get(to++)));
            }
            text.append(id(response, revision)).append("data: ").append(body).append("\n\n");
            from = to;
        }
        // How far it has come, even if nothing of interest happened; without data it is no event to the client.
        return text.append(id(response, response.getResumeRevision() - 1))
                .append('\n')
                .toString();
    }

    private static String id(WatchResponse response, long revision) {
        return "id: " + new Cursor(response.getHeader().getEpoch(), revision) + "\n";
    }

    private void write(String text) {
        if (out.tryWrite(HttpData.wrap(text.getBytes(StandardCharsets.UTF_8)))) {
            full = !opening;
            var unused = out.whenConsumed().thenRunAsync(this::consumed, loop);
        }
    }

    private void consumed() {
        full = false;
        if (watches != null) {
            watches.pump();
        }
    }
}
