package dev.holdfast.client.session;

import dev.holdfast.client.api.HoldfastException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** How threads wait for an answer. */
public final class Waiting {
    private Waiting() {}

    /** Waits; an interrupt cancels the future and is thrown. */
    public static <T> T interruptibly(CompletableFuture<T> reply) throws InterruptedException {
        try {
            return reply.get();
        } catch (InterruptedException e) {
            reply.cancel(false);
            throw e;
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** Waits whatever happens to the thread; an interrupt is kept for later. */
    public static <T> T uninterruptibly(CompletableFuture<T> reply) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return reply.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw failure(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The failure as the caller gets it: with the caller's own stack. */
    private static RuntimeException failure(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof HoldfastException failure) {
            failure.addSuppressed(new CallSite());
            return failure;
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new HoldfastException(e.toString(), cause);
    }

    /** Where the call was made: the failure itself was made by another thread. */
    private static final class CallSite extends RuntimeException {
        CallSite() {
            super("the call was made here");
        }
    }
}
