package dev.holdfast.server.peer.client;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Finds the addresses of other nodes as the rest of the machine does.
 *
 * <p>Netty's own resolver, which the client library would use, opens a datagram port on every address of the machine for
 * each event loop that connects, even to numeric addresses. A node listens where it was told to and nowhere else. The
 * JDK's way may wait for seconds, so it has threads of its own; they are there only while names are looked up.
 */
final class HostNames extends AddressResolverGroup<InetSocketAddress> {
    private static final int MAX_THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MAX_THREADS, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                Thread thread = new Thread(work, "holdfast-names");
                thread.setDaemon(true);
                return thread;
            });

    HostNames() {
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
        return new Names(loop).asAddressResolver();
    }

    @Override
    public void close() {
        super.close();
        threads.shutdownNow();
    }

    private final class Names extends InetNameResolver {
        Names(EventExecutor loop) {
            super(loop);
        }

        @Override
        protected void doResolve(String name, Promise<InetAddress> found) {
            lookUp(name, found, all -> all.get(0));
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> found) {
            lookUp(name, found, all -> all);
        }

        private <T> void lookUp(String name, Promise<T> found, Function<List<InetAddress>, T> choice) {
            try {
                threads.execute(() -> {
                    try {
                        found.trySuccess(choice.apply(List.of(InetAddress.getAllByName(name))));
                    } catch (UnknownHostException e) {
                        found.tryFailure(e);
                    }
                });
            } catch (RejectedExecutionException e) {
                found.tryFailure(e); // the node is being stopped
            }
        }
    }
}
