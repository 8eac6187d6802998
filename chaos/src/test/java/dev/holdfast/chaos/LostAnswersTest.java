package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.DecoratingHttpClientFunction;
import com.linecorp.armeria.client.HttpClient;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import dev.holdfast.protocol.v1.Event;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Answers that are lost and requests that arrive twice: each still takes effect once. */
class LostAnswersTest {
    private static final int REQUESTS = Figures.times(3_000, 50_000);
    private static final int CLIENTS = 16;
    private static final int LOST_PERCENT = 20;
    private static final int TWICE_PERCENT = 10;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    /** A way on which every fifth answer is lost and every tenth request is sent twice. */
    private static final class Way implements DecoratingHttpClientFunction {
        final AtomicInteger requests = new AtomicInteger();
        final AtomicInteger lost = new AtomicInteger();
        final AtomicInteger twice = new AtomicInteger();

        @Override
        public HttpResponse execute(HttpClient delegate, ClientRequestContext context, HttpRequest request)
                throws Exception {
            requests.incrementAndGet();
            ThreadLocalRandom random = ThreadLocalRandom.current();
            boolean repeats = random.nextInt(100) < TWICE_PERCENT;
            boolean loses = random.nextInt(100) < LOST_PERCENT;
            if (!repeats && !loses) {
                return delegate.execute(context, request);
            }
            return HttpResponse.of(request.aggregate().thenApply(whole -> {
                try {
                    if (repeats) {
                        twice.incrementAndGet();
                        // Nobody waits for this one's answer.
                        var unused = delegate.execute(
                                        context.newDerivedContext(
                                                context.id(),
                                                whole.toHttpRequest(),
                                                context.rpcRequest(),
                                                context.endpoint()),
                                        whole.toHttpRequest())
                                .subscribe();
                    }
                    HttpResponse answer = delegate.execute(context, whole.toHttpRequest());
                    if (!loses) {
                        return answer;
                    }
                    lost.incrementAndGet();
                    // The server has done it when this is known.
                    return HttpResponse.of(answer.aggregate()
                            .handle((complete, failure) -> HttpResponse.ofFailure(ClosedSessionException.get())));
                } catch (Exception e) {
                    return HttpResponse.ofFailure(e);
                }
            }));
        }
    }

    @Test
    void what_was_asked_for_happens_once() throws Exception {
        Way way = new Way();
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"));
                Clients clients = new Clients(way)) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            Load load = new Load(clients, cluster.addresses(), CLIENTS, CLIENTS).start();
            while (way.requests.get() < REQUESTS) {
                KillTest.progress(load, 100);
            }
            load.stop();
            events.catchUp();
            events.verify(load);
            long granted = events.count(Event.What.GRANTED, "load/");
            assertThat(granted)
                    .as("grants, where %s were told", load.grants().size())
                    .isBetween((long) load.grants().size(), (long) load.grants().size() + CLIENTS);
            cluster.assertStatesEqual();
            Figures.tell(
                    "T19",
                    "%d requests, %d answers lost, %d requests sent twice: %d grants, each once",
                    way.requests.get(),
                    way.lost.get(),
                    way.twice.get(),
                    granted);
        }
    }
}
