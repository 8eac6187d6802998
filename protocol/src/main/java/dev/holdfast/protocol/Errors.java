package dev.holdfast.protocol;

import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.util.Optional;

/** Carries an {@link Error} through a failed gRPC call. */
public final class Errors {
    /** The trailer that carries an error. */
    public static final String TRAILER_NAME = "holdfast-error-bin";

    private static final Metadata.Key<Error> TRAILER =
            Metadata.Key.of(TRAILER_NAME, ProtoUtils.metadataMarshaller(Error.getDefaultInstance()));

    private Errors() {}

    /** The exception that ends a call with this error. */
    public static StatusRuntimeException toException(Error error) {
        Metadata trailers = new Metadata();
        trailers.put(TRAILER, error);
        Status.Code status = ErrorCode.of(error.getCode()).grpc();
        // A code that is an answer elsewhere still fails a call that has no place for it.
        Status.Code failing = status == Status.Code.OK ? Status.Code.FAILED_PRECONDITION : status;
        return Status.fromCode(failing)
                .withDescription(error.getCode() + ": " + error.getMessage())
                .asRuntimeException(trailers);
    }

    /** Makes what fails a call carry this error, unless it carries one. */
    public static void add(Metadata trailers, Error error) {
        if (!trailers.containsKey(TRAILER)) {
            trailers.put(TRAILER, error);
        }
    }

    /** The error inside a failed call, if the other side was Holdfast. */
    public static Optional<Error> of(Throwable failure) {
        Metadata trailers = Status.trailersFromThrowable(failure);
        return trailers == null ? Optional.empty() : Optional.ofNullable(trailers.get(TRAILER));
    }

    /**
     * Why a call was turned away, also where not Holdfast did it but whoever stands before it: a proxy says only by its
     * status that it wants other credentials.
     */
    public static Optional<Error> refusalOf(Throwable failure) {
        Optional<Error> said = of(failure);
        return said.isPresent() ? said : denialOf(Status.fromThrowable(failure));
    }

    private static Optional<Error> denialOf(Status status) {
        String said = status.getDescription();
        String what = said == null ? "turned away on the way, without a word" : said;
        return switch (status.getCode()) {
            case UNAUTHENTICATED -> Optional.of(of(Code.UNAUTHENTICATED, "authorization", what));
            case PERMISSION_DENIED -> Optional.of(of(Code.PERMISSION_DENIED, "authorization", what));
            default -> Optional.empty();
        };
    }

    /**
     * What a failed call says, on one line: where something that does not speak gRPC answered, the library adds its
     * headers and its whole text.
     */
    public static String line(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    public static Error of(Code code, String subject, String message) {
        return Error.newBuilder()
                .setCode(code)
                .setSubject(subject)
                .setMessage(message + " (" + ErrorCode.of(code).advice() + ")")
                .build();
    }
}
