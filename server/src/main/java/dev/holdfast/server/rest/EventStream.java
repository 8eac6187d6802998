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
import dev.holdfast.protocol.Cursor;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.json.Json;
import dev.holdfast.server.operation.WatchUpdate;
import dev.holdfast.server.operation.Watches;
import dev.holdfast.server.request.Rejection;
import dev.holdfast.server.watch.KeyEvent;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
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
    private final LongSupplier epoch;
    private final HttpResponseWriter out = HttpResponse.streaming();
    private @Nullable Watches watches;
    private @Nullable Rejection refused;
    private boolean opening = true;
    private boolean full;

    /** @param epoch which one revisions are of */
    EventStream(Caller caller, EventLoop loop, LongSupplier epoch) {
        this.caller = caller;
        this.loop = loop;
        this.epoch = epoch;
    }

    /** Starts the watch: an event stream, or the reason why there is none. */
    HttpResponse open(Watches opened, Watches.Options options) {
        watches = opened;
        Runnable noLongerExpiring = caller.atExpiry(loop, this::end);
        var unused = out.whenComplete()
                .whenCompleteAsync(
                        (done, failure) -> {
                            noLongerExpiring.run();
                            opened.close();
                        },
                        loop);
        opened.open(0, options);
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
    public void send(long messageId, WatchUpdate update) {
        switch (update.kind()) {
            // The client gets a cursor at once, so that it can come back even if nothing happens.
            case OPENED -> {
                out.write(HEADERS);
                write("retry: 1000\n" + id(update.resumeRevision() - 1) + "\n");
            }
            case EVENTS -> write(messages(update));
            case REFUSED, ENDED -> {
                // What a watch is about is its cursor, whatever else it is called inside.
                Rejection why = Objects.requireNonNull(update.rejection()).about("cursor");
                if (opening) {
                    refused = why;
                } else {
                    end(why);
                }
            }
        }
    }

    private void end(Rejection why) {
        write("event: error\ndata: " + Reply.of(why).body() + "\n\n");
        out.close();
    }

    private String messages(WatchUpdate update) {
        StringBuilder text = new StringBuilder();
        List<KeyEvent> events = update.events();
        for (int from = 0; from < events.size(); ) {
            int to = from;
            long revision = events.get(from).revision();
            ObjectNode body = Json.object();
            body.put("revision", revision);
            body.put("cursor", new Cursor(epoch.getAsLong(), revision).toString());
            ArrayNode array = body.putArray("events");
            while (to < events.size() && events.get(to).revision() == revision) {
                array.add(JsonMapper.event(events.get(to++)));
            }
            text.append(id(revision)).append("data: ").append(body).append("\n\n");
            from = to;
        }
        // How far it has come, even if nothing of interest happened; without data it is no event to the client.
        return text.append(id(update.resumeRevision() - 1)).append('\n').toString();
    }

    private String id(long revision) {
        return "id: " + new Cursor(epoch.getAsLong(), revision) + "\n";
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
