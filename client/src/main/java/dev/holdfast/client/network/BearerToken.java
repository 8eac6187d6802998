package dev.holdfast.client.network;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Says with every call on whose behalf it is made. */
public final class BearerToken extends CallCredentials {
    private static final Metadata.Key<String> HEADER =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Supplier<String> token;

    /**
     * A token.
     *
     * @param token asked before each call, so that it can be renewed
     */
    public BearerToken(Supplier<String> token) {
        this.token = token;
    }

    @Override
    public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
        executor.execute(() -> {
            try {
                Metadata headers = new Metadata();
                headers.put(HEADER, "Bearer " + token.get());
                applier.apply(headers);
            } catch (RuntimeException e) {
                // Nobody has refused anything: the next try may have one.
                applier.fail(Status.UNAVAILABLE
                        .withDescription("the token could not be obtained: " + e.getMessage())
                        .withCause(e));
            }
        });
    }
}
