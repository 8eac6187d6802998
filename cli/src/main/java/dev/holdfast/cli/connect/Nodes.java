package dev.holdfast.cli.connect;

import dev.holdfast.client.api.UnavailableException;
import dev.holdfast.client.network.BearerToken;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractBlockingStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The nodes of a cluster, asked one question at a time.
 *
 * <p>A question goes to one node after the other until one answers. While nodes answer that there is no leader, they
 * are asked again until the timeout; where none answers at all, that is said at once. Questions may therefore arrive
 * twice: only such are asked that do the same when repeated. Used by one thread at a time.
 */
public final class Nodes implements AutoCloseable {
    private static final long PAUSE_MILLIS = 100;

    private final List<String> addresses;
    private final Duration timeout;
    private final ChannelCredentials credentials;
    private final Optional<String> token;
    private final Map<String, ManagedChannel> channels = new HashMap<>();

    Nodes(List<String> addresses, Duration timeout, ChannelCredentials credentials, Optional<String> token) {
        this.addresses = addresses;
        this.timeout = timeout;
        this.credentials = credentials;
        this.token = token;
    }

    /** Nodes that ask for no credentials, such as those this command has started itself. */
    public static Nodes unencrypted(List<String> addresses, Duration timeout) {
        return new Nodes(addresses, timeout, InsecureChannelCredentials.create(), Optional.empty());
    }

    /** Asks about locks, whichever node answers. */
    public <T> T locks(Function<LockServiceBlockingStub, T> question) {
        return any(
                (address, left) -> question.apply(prepared(LockServiceGrpc.newBlockingStub(channel(address)), left)));
    }

    /** Asks what operators ask, whichever node answers. */
    public <T> T admin(Function<AdminBlockingStub, T> question) {
        return any((address, left) -> question.apply(prepared(AdminGrpc.newBlockingStub(channel(address)), left)));
    }

    /** Asks one node what operators ask. */
    public <T> T admin(String address, Duration within, Function<AdminBlockingStub, T> question) {
        return question.apply(prepared(AdminGrpc.newBlockingStub(channel(address)), within));
    }

    /** Asks one node about locks, without a limit on the time: for answers that come as a stream. */
    public LockServiceBlockingStub locks(String address) {
        LockServiceBlockingStub stub = LockServiceGrpc.newBlockingStub(channel(address));
        return token.map(text -> stub.withCallCredentials(new BearerToken(() -> text)))
                .orElse(stub);
    }

    private interface Attempt<T> {
        T at(String address, Duration left);
    }

    private <T> T any(Attempt<T> attempt) {
        long begun = System.nanoTime();
        while (true) {
            List<String> problems = new ArrayList<>();
            boolean forNow = false;
            for (int i = 0; i < addresses.size(); i++) {
                String address = addresses.get(i);
                // One node that says nothing must not use up the time for the others.
                Duration left = timeout.minusNanos(System.nanoTime() - begun).dividedBy(addresses.size() - i);
                try {
                    return attempt.at(address, left.isNegative() ? Duration.ZERO : left);
                } catch (StatusRuntimeException e) {
                    if (!isOfThisNode(e)) {
                        throw e;
                    }
                    forNow |= Errors.of(e).isPresent();
                    problems.add(address + " " + problem(e));
                }
            }
            boolean timeIsUp =
                    System.nanoTime() - begun + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS) > timeout.toNanos();
            if (!forNow || timeIsUp) {
                throw new UnavailableException("no node could answer: " + String.join("; ", problems));
            }
            pause();
        }
    }

    private static boolean isOfThisNode(StatusRuntimeException failed) {
        return switch (failed.getStatus().getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED -> true;
            default -> false;
        };
    }

    /** Why a node did not answer, after its name. */
    public static String problem(StatusRuntimeException failed) {
        return Errors.of(failed)
                .map(error -> "says " + error.getCode() + ": " + error.getMessage())
                .orElseGet(() -> failed.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED
                        ? "does not answer in time"
                        : "cannot be reached");
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while looking for a leader");
        }
    }

    private <S extends AbstractBlockingStub<S>> S prepared(S stub, Duration within) {
        S limited = stub.withDeadlineAfter(within.toNanos(), TimeUnit.NANOSECONDS);
        return token.map(text -> limited.withCallCredentials(new BearerToken(() -> text)))
                .orElse(limited);
    }

    private ManagedChannel channel(String address) {
        return channels.computeIfAbsent(address, missing -> Channels.open(missing, credentials));
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
