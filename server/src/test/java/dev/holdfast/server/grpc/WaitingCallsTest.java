package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.protocol.v1.UpgradeRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitingCallsTest {
    private final TestNode node = new TestNode();
    private final long holder = node.lease();
    private final long waiter = node.lease();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void waiting_request_is_granted_when_the_holder_releases() {
        LockResponse held = node.hold(holder, "a", 1);
        ListenableFuture<LockResponse> waiting = waitFor("a", 1, -1);
        release(holder, held);
        LockResponse granted = get(waiting);
        assertThat(granted.getAcquired()).isTrue();
        assertThat(granted.getQueued()).isFalse();
        assertThat(granted.getFencingToken()).isGreaterThan(held.getFencingToken());
        assertThat(granted.getLeaseEndMs()).isGreaterThan(granted.getHeader().getClusterTimeMs());
        assertThat(granted.getHoldsCount()).isEqualTo(1);
        Listening.nobody(node.core.listeners());
    }

    @Test
    void waiting_request_without_an_id_is_granted_too() {
        LockResponse held = node.hold(holder, "a", 0);
        ListenableFuture<LockResponse> waiting = waitFor("a", 0, -1);
        release(holder, held);
        assertThat(get(waiting).getAcquired()).isTrue();
    }

    @Test
    void wait_ends_after_its_timeout() {
        node.hold(holder, "a", 1);
        LockResponse late = node.locks.lock(
                TestNode.request(waiter, "a", 1).setTimeoutMs(50).build());
        assertThat(late.getAcquired()).isFalse();
        assertThat(late.getCode()).isEqualTo(Code.TIMEOUT);
        assertThat(node.waiters("a")).isZero();
        Listening.nobody(node.core.listeners());
    }

    @Test
    void wait_can_be_cancelled_by_another_call() {
        node.hold(holder, "a", 1);
        ListenableFuture<LockResponse> waiting = waitFor("a", 1, -1);
        node.locks.cancel(
                CancelRequest.newBuilder().setLeaseId(waiter).setSeq(1).build());
        LockResponse cancelled = get(waiting);
        assertThat(cancelled.getAcquired()).isFalse();
        assertThat(cancelled.getCode()).isEqualTo(Code.CANCELLED);
    }

    @Test
    void wait_without_an_id_is_left_by_unlock() {
        node.hold(holder, "a", 1);
        ListenableFuture<LockResponse> waiting = waitFor("a", 0, -1);
        assertThat(node.locks
                        .unlock(UnlockRequest.newBuilder()
                                .setLeaseId(waiter)
                                .setName("a")
                                .build())
                        .getOutcome())
                .isEqualTo(UnlockResponse.Outcome.LEFT_QUEUE);
        assertThat(get(waiting).getCode()).isEqualTo(Code.CANCELLED);
    }

    @Test
    void wait_fails_when_its_lease_is_revoked() {
        node.hold(holder, "a", 1);
        ListenableFuture<LockResponse> waiting = waitFor("a", 1, -1);
        node.locks.leaseRevoke(LeaseRevokeRequest.newBuilder().setId(waiter).build());
        Error error = Failing.error(Code.LEASE_EXPIRED, failure(waiting));
        assertThat(error.getSubject()).isEqualTo("lease_id");
        Listening.nobody(node.core.listeners());
    }

    @Test
    void wait_fails_when_its_lease_expires() {
        node.hold(holder, "a", 1);
        long brief = node.lease(100);
        Failing.error(
                Code.LEASE_EXPIRED,
                () -> node.locks.lock(
                        TestNode.request(brief, "a", 1).setTimeoutMs(-1).build()));
    }

    @Test
    void client_that_leaves_keeps_its_place_and_finds_it_again() {
        LockResponse held = node.hold(holder, "a", 1);
        ListenableFuture<LockResponse> left = waitFor("a", 1, -1);
        assertThat(left.cancel(true)).isTrue();
        Listening.nobody(node.core.listeners());
        assertThat(node.waiters("a")).isEqualTo(1);
        ListenableFuture<LockResponse> again = node.futures()
                .lock(TestNode.request(waiter, "a", 1).setTimeoutMs(-1).build());
        await().until(() -> node.core.listeners().leases() == 1);
        release(holder, held);
        assertThat(get(again).getAcquired()).isTrue();
    }

    @Test
    void grant_that_came_while_nobody_listened_is_found_by_the_retry() {
        LockResponse held = node.hold(holder, "a", 1);
        assertThat(waitFor("a", 1, -1).cancel(true)).isTrue();
        Listening.nobody(node.core.listeners());
        release(holder, held);
        assertThat(node.locks
                        .lock(TestNode.request(waiter, "a", 1).setTimeoutMs(-1).build())
                        .getAcquired())
                .isTrue();
    }

    @Test
    void waiting_upgrade_is_granted_with_a_new_token_and_its_ends() {
        LockResponse mine = shared(waiter);
        LockResponse theirs = shared(holder);
        ListenableFuture<LockResponse> upgrade = node.futures().upgrade(upgrade(mine));
        await().until(() -> node.waiters("s") == 1);
        release(holder, theirs);
        LockResponse upgraded = get(upgrade);
        assertThat(upgraded.getAcquired()).isTrue();
        assertThat(upgraded.getFencingToken()).isGreaterThan(mine.getFencingToken());
        assertThat(upgraded.getHolds(0).getMode()).isEqualTo(Mode.EXCLUSIVE);
        assertThat(upgraded.getLeaseEndMs()).isEqualTo(mine.getLeaseEndMs());
        assertThat(upgraded.getHoldEndMs()).isEqualTo(mine.getHoldEndMs()).isPositive();
    }

    @Test
    void upgrade_whose_grant_ends_fails() {
        LockResponse mine = shared(waiter);
        shared(holder);
        ListenableFuture<LockResponse> upgrade = node.futures().upgrade(upgrade(mine));
        await().until(() -> node.waiters("s") == 1);
        release(waiter, mine);
        Failing.error(Code.GRANT_ENDED, failure(upgrade));
    }

    @Test
    void wait_whose_node_takes_over_a_snapshot_has_an_unknown_outcome() throws Exception {
        node.hold(holder, "a", 1);
        ListenableFuture<LockResponse> waiting = waitFor("a", 1, -1);
        ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
        try (var cut = node.core.replica().cut()) {
            for (byte[] frame = cut.next(); frame != null; frame = cut.next()) {
                snapshot.write(frame);
            }
        }
        node.core
                .replica()
                .load(1, node.core.replica().appliedIndex(), new ByteArrayInputStream(snapshot.toByteArray()));
        Error error = Failing.error(Code.UNAVAILABLE, failure(waiting));
        assertThat(error.getUnknownOutcome()).isTrue();
    }

    private LockResponse shared(long lease) {
        return node.locks.lock(TestNode.request(lease, "s", 1)
                .setMode(Mode.SHARED)
                .setMaxHoldMs(50_000)
                .build());
    }

    private UpgradeRequest upgrade(LockResponse held) {
        return UpgradeRequest.newBuilder()
                .setName("s")
                .setLeaseId(waiter)
                .setFencingToken(held.getFencingToken())
                .setSeq(2)
                .setTimeoutMs(-1)
                .build();
    }

    private ListenableFuture<LockResponse> waitFor(String key, long seq, long timeoutMillis) {
        ListenableFuture<LockResponse> waiting = node.futures()
                .lock(TestNode.request(waiter, key, seq)
                        .setTimeoutMs(timeoutMillis)
                        .build());
        await().until(() -> node.waiters(key) == 1);
        return waiting;
    }

    private void release(long lease, LockResponse held) {
        assertThat(node.locks
                        .unlock(UnlockRequest.newBuilder()
                                .setLeaseId(lease)
                                .setName(held.getKey())
                                .setFencingToken(held.getFencingToken())
                                .build())
                        .getOutcome())
                .isEqualTo(UnlockResponse.Outcome.RELEASED);
    }

    private static LockResponse get(ListenableFuture<LockResponse> future) {
        try {
            return future.get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static Throwable failure(ListenableFuture<LockResponse> future) {
        try {
            throw new AssertionError("answered: " + future.get(10, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return cause == null ? e : cause;
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
