package dev.holdfast.guard.http;

import dev.holdfast.guard.Entry;
import dev.holdfast.guard.FencingGuard;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** The rest of a request's way, inside the guard. */
final class Handling implements FencingGuard.Body<Entry, Exception> {
    private static final int SERVER_ERROR = 500;

    /** The request was handled and did not succeed: a numbered write may come again. */
    static final class Failed extends Exception {
        Failed() {
            super(null, null, false, false);
        }
    }

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final FilterChain chain;
    private boolean begun;

    Handling(HttpServletRequest request, HttpServletResponse response, FilterChain chain) {
        this.request = request;
        this.response = response;
        this.chain = chain;
    }

    boolean hasBegun() {
        return begun;
    }

    @Override
    public Entry run(Entry entry) throws Exception {
        begun = true;
        request.setAttribute(FencingFilter.ENTRY, entry);
        boolean alreadyAsync = request.isAsyncStarted();
        chain.doFilter(new SynchronousRequest(request), response);
        if (request.isAsyncStarted() && !alreadyAsync) {
            // Somebody looked behind the wrapper. Ended here, or the client would wait for the container's timeout.
            response.setStatus(SERVER_ERROR);
            request.getAsyncContext().complete();
            throw new IllegalStateException(SynchronousRequest.REFUSAL);
        }
        if (response.getStatus() >= SERVER_ERROR) {
            throw new Failed();
        }
        return entry;
    }
}
