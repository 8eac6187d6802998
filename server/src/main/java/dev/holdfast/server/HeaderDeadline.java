package dev.holdfast.server;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client has begun, or not even begun, to ask something and does not come to the point.
 *
 * <p>The server library waits for a request's header as long as some bytes of it trickle in. Here a connection has a
 * time for its first request, and on HTTP/1, where nothing else can arrive in between, for each one that follows.
 * Confined to the event loop of the connection.
 */
final class HeaderDeadline extends ChannelInboundHandlerAdapter {
    private static final AttributeKey<HeaderDeadline> OF_CHANNEL =
            AttributeKey.valueOf(HeaderDeadline.class, "OF_CHANNEL");

    private final Duration time;
    private @Nullable Future<?> timer;
    private boolean multiplexed;
    private int answering;

    private HeaderDeadline(Duration time) {
        this.time = time;
    }

    /** Watches a connection from its beginning. */
    static void on(Channel channel, Duration time) {
        HeaderDeadline deadline = new HeaderDeadline(time);
        channel.attr(OF_CHANNEL).set(deadline);
        channel.pipeline().addFirst(deadline);
        deadline.begin(channel);
    }

    /** The header of a request has arrived. */
    static void met(ServiceRequestContext request) {
        Channel channel =
                request.log().ensureAvailable(RequestLogProperty.SESSION).channel();
        HeaderDeadline deadline =
                channel == null ? null : channel.attr(OF_CHANNEL).get();
        if (deadline == null || deadline.multiplexed) {
            return;
        }
        deadline.end();
        if (request.sessionProtocol().isMultiplex()) {
            deadline.multiplexed = true;
            return;
        }
        // Until it is answered, what arrives is its body.
        deadline.answering++;
        var unused = request.log()
                .whenComplete()
                .thenAccept(log -> channel.eventLoop().execute(() -> deadline.answering--));
    }

    private void begin(Channel channel) {
        Runnable close = () -> {
            var unused = channel.close();
        };
        timer = channel.eventLoop().schedule(close, time.toMillis(), TimeUnit.MILLISECONDS);
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
        if (timer == null && !multiplexed && answering == 0) {
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
