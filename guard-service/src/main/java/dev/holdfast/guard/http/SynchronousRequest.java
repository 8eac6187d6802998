package dev.holdfast.guard.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request that is handled before its servlet returns: then it leaves the guard, and what is done later in its name
 * would be done outside.
 *
 * <p>To wait for it here is no way out: a container ends an asynchronous request only after the filters have returned.
 */
final class SynchronousRequest extends HttpServletRequestWrapper {
    static final String REFUSAL =
            "an asynchronous request leaves its fencing guard before it is handled: handle it before"
                    + " the servlet returns, or enter the guard where the work is done instead of in FencingFilter";

    SynchronousRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public AsyncContext startAsync() {
        throw new IllegalStateException(REFUSAL);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        throw new IllegalStateException(REFUSAL);
    }
}
