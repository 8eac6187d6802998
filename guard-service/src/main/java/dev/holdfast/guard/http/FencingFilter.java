package dev.holdfast.guard.http;

import dev.holdfast.guard.FencingGuard;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets requests through whose {@link FencingHeader} a guard accepts, and answers the others itself: 412 and both tokens
 * if the token is stale, 400 if it is absent, wrong or of another key.
 *
 * <p>The request is inside the guard until its servlet returns: later holders of the lock wait until then. So a guarded
 * request cannot be handled asynchronously: {@code startAsync} throws an {@link IllegalStateException}.
 *
 * <p>The guard must remember its marks as long as the data it protects exists: with a database behind the service, keep
 * the marks in that database; with {@link dev.holdfast.guard.MemoryGuard}, a restart lets in the first access, stale or
 * not.
 */
public final class FencingFilter extends HttpFilter {
    /** The attribute of a request that says how it got in: a {@link dev.holdfast.guard.Entry}. */
    public static final String ENTRY = "dev.holdfast.guard.entry";

    private final transient FencingGuard guard;
    private final transient Function<HttpServletRequest, Optional<String>> keys;

    /**
     * Creates a filter that guards requests.
     *
     * @param keys which key guards what a request asks for; empty if none does
     */
    public FencingFilter(FencingGuard guard, Function<HttpServletRequest, Optional<String>> keys) {
        this.guard = guard;
        this.keys = keys;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<String> key = keys.apply(request);
        if (key.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        Handling handling = new Handling(request, response, chain);
        try {
            guard.enter(FencingHeader.read(request.getHeader(FencingHeader.NAME), key.get()), handling);
        } catch (Handling.Failed e) {
            // Answered all the same; only its number does not count.
        } catch (RuntimeException e) {
            // What fails inside is not the guard's no, whatever it looks like.
            Optional<Refusal> refusal = handling.hasBegun() ? Optional.empty() : Refusal.of(e);
            answer(response, refusal.orElseThrow(() -> e));
        } catch (IOException | ServletException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private static void answer(HttpServletResponse response, Refusal refusal) throws IOException {
        response.setStatus(refusal.status());
        response.setContentType("application/json");
        response.setCharacterEncoding("UTF-8");
        if (refusal.status() == 503 || refusal.status() == 429) {
            response.setHeader("Retry-After", "1");
        }
        response.getWriter().write(refusal.json());
    }
}
