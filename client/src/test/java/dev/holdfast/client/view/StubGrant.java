package dev.holdfast.client.view;

import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.Slots;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A grant without a cluster: it is lost when a test says so. */
final class StubGrant implements Grant {
    private boolean shared;
    private boolean lost;
    private boolean closed;
    private @Nullable Exception failure;

    StubGrant(boolean shared) {
        this.shared = shared;
    }

    void lose() {
        lost = true;
    }

    /** The next downgrade ends so instead. */
    void failOnce(Exception thrown) {
        failure = thrown;
    }

    @Override
    public long token() {
        return 1;
    }

    @Override
    public String key() {
        return "stub";
    }

    @Override
    public List<String> keys() {
        return List.of(key());
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public List<Integer> slots() {
        return List.of();
    }

    @Override
    public Slots slots(String key) {
        return Slots.NONE;
    }

    @Override
    public State state() {
        if (closed) {
            return State.RELEASED;
        }
        return lost ? State.LOST : State.HELD;
    }

    @Override
    public boolean isValid() {
        return state() == State.HELD;
    }

    @Override
    public Duration remaining() {
        return isValid() ? Duration.ofSeconds(1) : Duration.ZERO;
    }

    @Override
    public void requireValid(Duration needed) {
        if (!isValid()) {
            throw new LockLostException("lost by the test");
        }
    }

    @Override
    public CompletableFuture<Boolean> upgradeAsync(Duration wait) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> downgradeAsync() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void downgrade() throws InterruptedException {
        Exception thrown = failure;
        failure = null;
        if (thrown instanceof InterruptedException interrupt) {
            throw interrupt;
        }
        if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        shared = true;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public Grant onLost(Consumer<Loss> listener) {
        throw new AssertionError("not expected here");
    }

    @Override
    public CompletionStage<Loss> lost() {
        throw new AssertionError("not expected here");
    }

    @Override
    public Grant onJeopardy(Runnable listener) {
        throw new AssertionError("not expected here");
    }

    @Override
    public Grant interruptOnLoss(Thread thread) {
        throw new AssertionError("not expected here");
    }

    @Override
    public void upgrade() {
        throw new AssertionError("not expected here");
    }

    @Override
    public boolean upgrade(Duration wait) {
        throw new AssertionError("not expected here");
    }

    @Override
    public void describe(byte[] metadata) {
        throw new AssertionError("not expected here");
    }

    @Override
    public CompletableFuture<Boolean> describeAsync(byte[] metadata) {
        throw new AssertionError("not expected here");
    }

    @Override
    public String export() {
        throw new AssertionError("not expected here");
    }

    @Override
    public Outcome release() {
        throw new AssertionError("not expected here");
    }

    @Override
    public CompletableFuture<Outcome> releaseAsync() {
        throw new AssertionError("not expected here");
    }
}
