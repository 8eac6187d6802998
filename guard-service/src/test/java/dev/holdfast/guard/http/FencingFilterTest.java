package dev.holdfast.guard.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.Access;
import dev.holdfast.guard.Entry;
import dev.holdfast.guard.MemoryGuard;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The filter in a real servlet container, asked by a real client. */
@Timeout(60)
class FencingFilterTest {
    private final Documents documents = new Documents();
    private final MemoryGuard guard = new MemoryGuard(3, Duration.ofMillis(200));
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private Server server;
    private int port;

    @BeforeEach
    void start() throws Exception {
        server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        ServletHolder servlet = new ServletHolder(documents);
        servlet.setAsyncSupported(true);
        context.addServlet(servlet, "/*");
        addFilter(context, this::noteFailures);
        addFilter(
                context,
                new FencingFilter(
                        guard,
                        request -> request.getRequestURI().startsWith("/docs/")
                                ? Optional.of(request.getRequestURI().substring(1))
                                : Optional.empty()));
        server.setHandler(context);
        server.start();
        port = connector.getLocalPort();
    }

    private static void addFilter(ServletContextHandler context, Filter filter) {
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
    }

    /** What the container is told; it does not tell clients. */
    private void noteFailures(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (IllegalStateException e) {
            failures.add(e.getMessage());
            throw e;
        }
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void holder_gets_through_as_often_as_it_likes_and_reads_enter_too() throws Exception {
        assertThat(put("docs/a", Access.exclusive("docs/a", 33), "one").statusCode())
                .isEqualTo(200);
        assertThat(put("docs/a", Access.exclusive("docs/a", 33), "two").statusCode())
                .isEqualTo(200);
        assertThat(get("docs/a", Access.shared("docs/a", 34)).statusCode()).isEqualTo(200);
        assertThat(put("docs/a", Access.exclusive("docs/a", 33), "old").statusCode())
                .isEqualTo(412);
        assertThat(documents.written).containsExactly("one", "two");
    }

    @Test
    void stale_request_is_answered_with_both_tokens_and_does_not_reach_the_servlet() throws Exception {
        put("docs/a", Access.exclusive("docs/a", 34), "new");
        HttpResponse<String> refused = put("docs/a", Access.exclusive("docs/a", 33), "old");
        assertThat(refused.statusCode()).isEqualTo(412);
        assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(refused.body())
                .isEqualTo("{\"error\":\"STALE_TOKEN\",\"message\":\"stale token for key 'docs/a': 33 was presented,"
                        + " 34 has entered\",\"field\":\"token\",\"presented\":\"33\",\"highest\":\"34\"}");
        assertThat(documents.written).containsExactly("new");
    }

    @Test
    void token_that_is_absent_or_wrong_or_for_another_key_is_refused_by_name() throws Exception {
        refused(HttpRequest.newBuilder(uri("docs/a")), "token");
        refused(FencingHeader.on(HttpRequest.newBuilder(uri("docs/a")), Access.exclusive("docs/b", 33)), "key");
        for (String wrong : List.of("docs/a=0", "docs/a=-3", "docs/a", "docs/a=x", "33")) {
            refused(HttpRequest.newBuilder(uri("docs/a")).header(FencingHeader.NAME, wrong), "token");
        }
        assertThat(documents.written).isEmpty();
    }

    private void refused(HttpRequest.Builder request, String field) throws Exception {
        HttpResponse<String> refused = send(request.PUT(HttpRequest.BodyPublishers.ofString("x")));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("\"error\":\"INVALID_ARGUMENT\"", "\"field\":\"" + field + "\"");
    }

    @Test
    void what_no_key_guards_needs_no_token() throws Exception {
        assertThat(send(HttpRequest.newBuilder(uri("public"))).statusCode()).isEqualTo(200);
    }

    @Test
    void newer_holder_waits_for_a_request_that_is_being_handled() throws Exception {
        documents.hold = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> older = CompletableFuture.supplyAsync(() -> {
            try {
                return put("docs/a", Access.exclusive("docs/a", 33), "older");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        documents.reached.await();
        HttpResponse<String> newer = put("docs/a", Access.exclusive("docs/a", 34), "newer");
        assertThat(newer.statusCode()).isEqualTo(503);
        assertThat(newer.headers().firstValue("Retry-After")).hasValue("1");
        documents.hold.countDown();
        assertThat(older.get().statusCode()).isEqualTo(200);
        assertThat(put("docs/a", Access.exclusive("docs/a", 34), "newer").statusCode())
                .isEqualTo(200);
        assertThat(documents.written).containsExactly("older", "newer");
    }

    @Test
    void numbered_write_is_recognised_unless_it_failed_before() throws Exception {
        Access write = Access.exclusive("docs/a", 33).write(1);
        assertThat(put("docs/a", write, "fail").statusCode()).isEqualTo(500);
        assertThat(put("docs/a", write, "one").body()).isEqualTo("NEW");
        assertThat(put("docs/a", write, "one").body()).isEqualTo("REPEATED");
        put("docs/a", Access.exclusive("docs/a", 33).write(3), "three");
        HttpResponse<String> late = put("docs/a", Access.exclusive("docs/a", 33).write(2), "two");
        assertThat(late.statusCode()).isEqualTo(412);
        assertThat(late.body()).contains("STALE_SEQUENCE", "\"last\":\"3\"");
    }

    /** What is done after the servlet returned would be done outside the guard. */
    @Test
    void request_that_is_to_be_handled_asynchronously_is_refused_and_leaves_the_guard() throws Exception {
        for (String way : List.of("async", "async-with-arguments", "async-unwrapped")) {
            HttpResponse<String> refused =
                    put("docs/a", Access.exclusive("docs/a", 33).write(1), way);
            assertThat(refused.statusCode()).as(way).isEqualTo(500);
        }
        assertThat(failures).hasSize(3).allMatch(why -> why.contains("leaves its fencing guard before it is handled"));
        assertThat(documents.written).isEmpty();
        assertThat(put("docs/a", Access.exclusive("docs/a", 33).write(1), "one").body())
                .as("the number of a refused write is free")
                .isEqualTo("NEW");
        assertThat(put("docs/a", Access.exclusive("docs/a", 34), "two").statusCode())
                .isEqualTo(200);
    }

    @Test
    void what_no_key_guards_may_be_asynchronous() throws Exception {
        HttpResponse<String> answered =
                send(HttpRequest.newBuilder(uri("public")).PUT(HttpRequest.BodyPublishers.ofString("async")));
        assertThat(answered.statusCode()).isEqualTo(200);
        assertThat(documents.written).containsExactly("async");
    }

    @Test
    void guard_that_is_full_says_so() throws Exception {
        for (String key : List.of("docs/a", "docs/b", "docs/c")) {
            put(key, Access.exclusive(key, 33), "x");
        }
        HttpResponse<String> refused = put("docs/d", Access.exclusive("docs/d", 33), "x");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("QUOTA_EXCEEDED");
    }

    private HttpResponse<String> put(String path, Access access, String body) throws Exception {
        return send(FencingHeader.on(HttpRequest.newBuilder(uri(path)), access)
                .PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> get(String path, Access access) throws Exception {
        return send(FencingHeader.on(HttpRequest.newBuilder(uri(path)), access));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + "/" + path);
    }

    /** Remembers what was put, and says how the request got in. */
    private static final class Documents extends HttpServlet {
        private final transient List<String> written = new CopyOnWriteArrayList<>();
        private final transient CountDownLatch reached = new CountDownLatch(1);
        private transient volatile CountDownLatch hold = new CountDownLatch(0);

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            reached.countDown();
            try {
                hold.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (body.equals("fail")) {
                response.setStatus(500);
                return;
            }
            if (body.startsWith("async")) {
                writeLater(request, response, body);
                return;
            }
            if (request.getAttribute(FencingFilter.ENTRY) == Entry.NEW) {
                written.add(body);
            }
            response.getWriter().print(request.getAttribute(FencingFilter.ENTRY));
        }

        private void writeLater(HttpServletRequest request, HttpServletResponse response, String body) {
            AsyncContext later = switch (body) {
                case "async-with-arguments" -> request.startAsync(request, response);
                case "async-unwrapped" ->
                    ((HttpServletRequestWrapper) request).getRequest().startAsync();
                default -> request.startAsync();
            };
            // What was started behind the wrapper's back is left open: the filter must see it, and end it.
            if (!body.equals("async-unwrapped")) {
                later.start(() -> {
                    written.add(body);
                    later.complete();
                });
            }
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(written);
        }
    }
}
