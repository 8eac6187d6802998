package dev.holdfast.chaos;

import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Makes a call again, elsewhere, while the service is not there. */
final class Insistence {
    private static final long RETRY_NANOS = 20_000_000;

    private final Clients clients;
    private final List<String> addresses;
    private int address;

    /** A call that may be made more than once. */
    interface Call<T> {
        T on(LockServiceBlockingStub stub);
    }

    Insistence(Clients clients, List<String> addresses) {
        this.clients = clients;
        this.addresses = List.copyOf(addresses);
    }

    /** Goes to any of the nodes. */
    void wander(SplittableRandom random) {
        address = random.nextInt(addresses.size());
    }

    /** Makes the call until there is an answer; nothing if it should stop before there is one. */
    <T> @Nullable T call(Call<T> call, BooleanSupplier stop) {
        while (true) {
            try {
                return call.on(clients.locks(addresses.get(address)));
            } catch (StatusRuntimeException e) {
                if (!isPassing(e)) {
                    throw e;
                }
                if (stop.getAsBoolean()) {
                    return null;
                }
                address = (address + 1) % addresses.size();
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** Makes the call until there is an answer. */
    <T> T insist(Call<T> call) {
        return Objects.requireNonNull(call(call, () -> false));
    }

    /** Whether it makes sense to ask again: the node is away, or says itself that it was only too much for now. */
    static boolean isPassing(StatusRuntimeException e) {
        Status.Code code = e.getStatus().getCode();
        return code == Status.Code.UNAVAILABLE
                || code == Status.Code.DEADLINE_EXCEEDED
                || code == Status.Code.CANCELLED
                || (code == Status.Code.UNKNOWN && Errors.of(e).isEmpty())
                || Errors.of(e).map(error -> error.getRetryAfterMs() > 0).orElse(false);
    }
}
