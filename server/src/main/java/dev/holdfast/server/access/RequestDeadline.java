package dev.holdfast.server.access;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client has begun, or not even begun, to ask something and does not come to the point.
 *
 * <p>The server library waits for a request's header as long as some bytes of it trickle in. Here a connection has a
 * time for its first request, and on HTTP/1, where nothing else can arrive in between, for each one that follows: for
 * its header, and for its body if that is so small that its service begins when it is there.
 * Confined to the event loop of the connection.
 */
public final class RequestDeadline extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<RequestDeadline> OF_CHANNEL =
            AttributeKey.valueOf(RequestDeadline.class, "OF_CHANNEL");

    private final Connections connections;
    private final long timeNanos;
    private boolean asked;
    private boolean awaited;
    private long awaitedSince;
    /** Left running when a request arrives: it looks once in that time, not once for each request. */
    private @Nullable Future<?> timer;

    private boolean multiplexed;
    private int answering;

    private RequestDeadline(Connections connections, Duration time) {
        this.connections = connections;
        this.timeNanos = time.toNanos();
    }

    /** Watches a connection from its beginning. */
    public static void on(Channel channel, Connections connections, Duration time) {
        connections.opened(channel);
        RequestDeadline deadline = new RequestDeadline(connections, time);
        channel.attr(OF_CHANNEL).set(deadline);
        channel.pipeline().addFirst(deadline);
        deadline.begin(channel);
    }

    /** A request has come to its {@link Gate}, as all do. */
    static void met(ServiceRequestContext request) {
        Channel channel =
                request.log().ensureAvailable(RequestLogProperty.SESSION).channel();
        RequestDeadline deadline =
                channel == null ? null : channel.attr(OF_CHANNEL).get();
        if (deadline == null || deadline.multiplexed) {
            return;
        }
        if (!deadline.asked) {
            deadline.asked = true;
            deadline.connections.asked(channel);
        }
        deadline.awaited = false;
        if (request.sessionProtocol().isMultiplex()) {
            deadline.multiplexed = true;
            deadline.end();
            return;
        }
        // Until it is answered, what arrives is its body.
        deadline.answering++;
        EventLoop loop = channel.eventLoop();
        var unused = request.log().whenComplete().thenAccept(log -> {
            if (loop.inEventLoop()) {
                deadline.answering--;
            } else {
                loop.execute(() -> deadline.answering--);
            }
        });
    }

    private void begin(Channel channel) {
        awaited = true;
        awaitedSince = System.nanoTime();
        if (timer == null) {
            lookIn(timeNanos, channel);
        }
    }

    private void lookIn(long nanos, Channel channel) {
        timer = channel.eventLoop().schedule(() -> look(channel), nanos, TimeUnit.NANOSECONDS);
    }

    private void look(Channel channel) {
        timer = null;
        if (!awaited) {
            return;
        }
        long left = timeNanos - (System.nanoTime() - awaitedSince);
        if (left > 0) {
            lookIn(left, channel);
        } else {
            var unused = channel.close();
        }
    }

    private void end() {
        Future<?> running = timer;
        if (running != null) {
            running.cancel(false);
            timer = null;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (!awaited && !multiplexed && answering == 0) {
            begin(context.channel());
        }
        super.channelRead(context, message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        end();
        super.channelInactive(context);
    }
}
