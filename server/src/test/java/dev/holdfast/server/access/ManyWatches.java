package dev.holdfast.server.access;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.EventLoopGroups;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.netty.channel.EventLoopGroup;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Many watches of one caller, over connections of its own, by as many streams as it takes. All that comes is read, but
 * once they are open nobody looks at it: what a client does with it would cost as much as what is measured.
 */
final class ManyWatches implements AutoCloseable {
    private static final int ON_A_STREAM = 1_000;
    private static final int FRAME_HEADER = 5;

    /** Why watches did not begin. */
    final ConcurrentLinkedQueue<Error> refused = new ConcurrentLinkedQueue<>();

    final LongAdder bytes = new LongAdder();
    private final LongAdder opened = new LongAdder();
    /** Not with the node's threads. */
    private final EventLoopGroup loop = EventLoopGroups.newEventLoopGroup(1);

    private final ClientFactory factory =
            ClientFactory.builder().workerGroup(loop, true).build();
    private volatile long openedCpuNanos;

    private final List<HttpRequestWriter> streams = new ArrayList<>();
    private volatile boolean open;

    /** Opens so many, each of all keys that the caller may read. */
    ManyWatches(SecuredNode node, String token, int count) {
        WebClient web = WebClient.builder("h2c://127.0.0.1:" + node.port)
                .factory(factory)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build();
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.POST, "/holdfast.v1.LockService/Watch")
                .contentType(MediaType.parse("application/grpc"))
                .set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token)
                .set(HttpHeaderNames.TE, "trailers")
                .build();
        for (int i = 0; i < count; i++) {
            if (i % ON_A_STREAM == 0) {
                streams.add(HttpRequest.streaming(headers));
                web.execute(streams.get(streams.size() - 1)).split().body().subscribe(new Discarding());
            }
            WatchRequest request = WatchRequest.newBuilder()
                    .setPrefix(true)
                    .setWatchId(i % ON_A_STREAM + 1L)
                    .build();
            streams.get(streams.size() - 1).write(frame(request.toByteArray()));
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> opened.sum() == count);
        open = true;
        openedCpuNanos = cpuNanos();
    }

    /** How much of a processor reading has taken since all were open. */
    double cpuMillis() {
        return (cpuNanos() - openedCpuNanos) / 1e6;
    }

    private long cpuNanos() {
        return loop.submit(() -> ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime())
                .syncUninterruptibly()
                .getNow();
    }

    private static HttpData frame(byte[] message) {
        return HttpData.wrap(ByteBuffer.allocate(FRAME_HEADER + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array());
    }

    /** Reads what comes until all are open, and then only counts it. */
    private final class Discarding implements Subscriber<HttpData> {
        private final ByteArrayOutputStream rest = new ByteArrayOutputStream();

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(HttpData data) {
            bytes.add(data.length());
            if (!open) {
                rest.writeBytes(data.array());
                ByteBuffer all = ByteBuffer.wrap(rest.toByteArray());
                rest.reset();
                while (all.remaining() >= FRAME_HEADER
                        && all.remaining() >= FRAME_HEADER + all.getInt(all.position() + 1)) {
                    byte[] message = new byte[all.getInt(all.position() + 1)];
                    all.position(all.position() + FRAME_HEADER).get(message);
                    begun(message);
                }
                rest.write(all.array(), all.position(), all.remaining());
            }
        }

        private void begun(byte[] message) {
            try {
                WatchResponse response = WatchResponse.parseFrom(message);
                if (response.getCanceled()) {
                    refused.add(response.getError());
                }
                if (response.getCreated()) {
                    opened.increment();
                }
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }

    @Override
    public void close() {
        streams.forEach(HttpRequestWriter::abort);
        factory.close();
    }
}
