package dev.holdfast.client.network;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The one thread that reads and writes all of a client's connections.
 *
 * <p>It is the client's own, not one that gRPC shares out, so that the session can have its frames written there: all
 * that callers bring until this thread gets to it leaves in one frame, and a lone call is handed over no more often
 * than it would be anyway.
 */
public final class NetworkThread implements Executor, AutoCloseable {
    private static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;

    private final EventLoopGroup loop;
    private final Class<? extends Channel> sockets;

    /** A thread that does not keep the process alive. */
    public NetworkThread(String name) {
        DefaultThreadFactory threads = new DefaultThreadFactory(name, true);
        boolean onLinux = Epoll.isAvailable();
        loop = onLinux ? new EpollEventLoopGroup(1, threads) : new NioEventLoopGroup(1, threads);
        sockets = onLinux ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** A channel that this thread reads and writes, and on which it calls back. */
    public ManagedChannel channel(NettyChannelBuilder settings) {
        return settings.eventLoopGroup(loop)
                .channelType(sockets)
                .directExecutor()
                .maxInboundMessageSize(MAX_ANSWER_BYTES)
                .build();
    }

    /** Runs a task soon; at once after the end, when nothing is written any more. */
    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    @Override
    public void close() {
        var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
