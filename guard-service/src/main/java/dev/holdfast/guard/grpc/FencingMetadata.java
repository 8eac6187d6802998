package dev.holdfast.guard.grpc;

import dev.holdfast.guard.Entry;
import dev.holdfast.guard.http.FencingHeader;
import io.grpc.Context;
import io.grpc.Metadata;

/** The headers and trailers that carry accesses and refusals over gRPC. */
public final class FencingMetadata {
    /** An access, as {@link dev.holdfast.guard.Access#text}. */
    public static final Metadata.Key<String> ACCESS =
            Metadata.Key.of(FencingHeader.NAME, Metadata.ASCII_STRING_MARSHALLER);

    /** What was refused and why, as {@link dev.holdfast.guard.http.Refusal#json}. */
    public static final Metadata.Key<String> REFUSAL =
            Metadata.Key.of("Holdfast-Refusal", Metadata.ASCII_STRING_MARSHALLER);

    /** Tells the handler how the call entered: a repeated write must not be done again. */
    public static final Context.Key<Entry> ENTRY = Context.key("dev.holdfast.guard.entry");

    private FencingMetadata() {}
}
