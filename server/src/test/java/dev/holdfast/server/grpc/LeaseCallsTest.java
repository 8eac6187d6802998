package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.LeaseExtendRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LeaseKeepAliveRequest;
import dev.holdfast.protocol.v1.LeaseKeepAliveResponse;
import dev.holdfast.protocol.v1.LeaseListRequest;
import dev.holdfast.protocol.v1.LeaseListResponse;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveRequest;
import dev.holdfast.protocol.v1.LeaseTimeToLiveResponse;
import io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseCallsTest {
    private final TestNode node = new TestNode();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void granted_lease_has_the_ttl_in_seconds_and_millis_and_an_end_in_cluster_time() {
        LeaseGrantResponse granted = node.locks.leaseGrant(
                LeaseGrantRequest.newBuilder().setId(42).setTtl(30).build());
        assertThat(granted.getId()).isEqualTo(42);
        assertThat(granted.getTtl()).isEqualTo(30);
        assertThat(granted.getTtlMs()).isEqualTo(30_000);
        assertThat(granted.getEndMs()).isEqualTo(granted.getHeader().getClusterTimeMs() + 30_000);
        assertThat(granted.getHeader().getClusterId()).isEqualTo(TestNode.CLUSTER);
        assertThat(granted.getHeader().getMemberId()).isEqualTo(TestNode.MEMBER);
        assertThat(granted.getHeader().getRaftTerm()).isEqualTo(1);
        assertThat(granted.getHeader().getRevision()).isEqualTo(node.revision());
    }

    @Test
    void ttl_in_millis_counts_before_seconds() {
        LeaseGrantResponse granted = node.locks.leaseGrant(
                LeaseGrantRequest.newBuilder().setTtl(30).setTtlMs(2_500).build());
        assertThat(granted.getTtlMs()).isEqualTo(2_500);
        assertThat(granted.getTtl()).isEqualTo(2);
    }

    @Test
    void server_chooses_a_random_id_and_the_host_as_client_id_where_none_is_given() {
        long first = node.lease();
        long second = node.lease();
        assertThat(first).isNotZero().isNotEqualTo(second);
        assertThat(timeToLive(first).getClientId()).isEqualTo("127.0.0.1");
    }

    @Test
    void same_grant_again_is_the_same_lease_and_another_ttl_is_refused() {
        LeaseGrantRequest request = LeaseGrantRequest.newBuilder()
                .setId(7)
                .setTtlMs(60_000)
                .setClientId("c")
                .build();
        node.locks.leaseGrant(request);
        long before = node.revision();
        assertThat(node.locks.leaseGrant(request).getId()).isEqualTo(7);
        assertThat(Failing.error(
                                Code.LEASE_EXISTS,
                                () -> node.locks.leaseGrant(
                                        request.toBuilder().setTtlMs(50_000).build()))
                        .getSubject())
                .isEqualTo("id");
        assertThat(node.revision()).isEqualTo(before);
    }

    @Test
    void revoked_lease_is_gone() {
        long lease = node.lease();
        node.locks.leaseRevoke(LeaseRevokeRequest.newBuilder().setId(lease).build());
        assertThat(timeToLive(lease).getTtl()).isEqualTo(-1);
        Failing.error(
                Code.LEASE_EXPIRED,
                () -> node.locks.leaseRevoke(
                        LeaseRevokeRequest.newBuilder().setId(lease).build()));
    }

    @Test
    void extended_lease_lives_longer() {
        long lease = node.lease(60_000);
        LeaseGrantResponse extended = node.locks.leaseExtend(LeaseExtendRequest.newBuilder()
                .setId(lease)
                .setAdditionalMs(5_000)
                .build());
        assertThat(extended.getTtlMs()).isEqualTo(65_000);
    }

    @Test
    void a_lease_that_is_to_last_from_now_can_be_asked_for_twice() {
        long lease = node.lease(60_000);
        LeaseExtendRequest request =
                LeaseExtendRequest.newBuilder().setId(lease).setTtlMs(600_000).build();
        LeaseGrantResponse first = node.locks.leaseExtend(request);
        LeaseGrantResponse second = node.locks.leaseExtend(request);
        assertThat(first.getTtlMs()).isEqualTo(60_000);
        assertThat(second.getTtlMs()).isEqualTo(60_000);
        for (LeaseGrantResponse answer : new LeaseGrantResponse[] {first, second}) {
            assertThat(answer.getEndMs() - answer.getHeader().getClusterTimeMs())
                    .isBetween(600_000L - 1, 600_000L);
        }
    }

    @Test
    void time_to_live_tells_what_is_held_and_awaited_only_where_asked() {
        long holder = node.lease();
        long waiter = node.lease();
        node.hold(holder, "a", 1);
        var pending = node.futures()
                .lock(TestNode.request(waiter, "a", 1).setTimeoutMs(-1).build());
        org.awaitility.Awaitility.await().until(() -> node.waiters("a") == 1);
        assertThat(timeToLive(holder).getHeldList()).isEmpty();
        LeaseTimeToLiveRequest.Builder keys =
                LeaseTimeToLiveRequest.newBuilder().setKeys(true);
        assertThat(node.locks.leaseTimeToLive(keys.setId(holder).build()).getHeldList())
                .singleElement()
                .satisfies(hold -> assertThat(hold.getKey()).isEqualTo("a"));
        assertThat(node.locks.leaseTimeToLive(keys.setId(waiter).build()).getAwaitedList())
                .singleElement()
                .satisfies(hold -> assertThat(hold.getKey()).isEqualTo("a"));
        assertThat(pending.cancel(true)).isTrue();
    }

    @Test
    void leases_are_listed_in_pages() {
        for (int id = 1; id <= 5; id++) {
            node.locks.leaseGrant(LeaseGrantRequest.newBuilder()
                    .setId(id)
                    .setTtl(60)
                    .setClientId(id == 5 ? "other" : "c")
                    .build());
        }
        LeaseListRequest.Builder request =
                LeaseListRequest.newBuilder().setClientId("c").setLimit(3);
        LeaseListResponse first = node.locks.leaseList(request.build());
        assertThat(first.getLeasesList())
                .extracting(LeaseTimeToLiveResponse::getId)
                .containsExactly(1L, 2L, 3L);
        LeaseListResponse second =
                node.locks.leaseList(request.setFrom(first.getNext()).build());
        assertThat(second.getLeasesList())
                .extracting(LeaseTimeToLiveResponse::getId)
                .containsExactly(4L);
        assertThat(second.getNext()).isZero();
        assertThat(node.locks
                        .leaseList(LeaseListRequest.newBuilder().setStale(true).build())
                        .getLeasesList())
                .hasSize(5);
    }

    @Test
    void keep_alive_answers_every_id_of_a_stream_in_order_and_zero_for_one_that_is_gone() {
        long alive = node.lease(60_000);
        long other = node.lease(500);
        Recorder<LeaseKeepAliveRequest, LeaseKeepAliveResponse> answers = Recorder.eager();
        StreamObserver<LeaseKeepAliveRequest> stream = node.streams().leaseKeepAlive(answers);
        long before = node.revision();
        for (long id : new long[] {alive, 99, other}) {
            stream.onNext(LeaseKeepAliveRequest.newBuilder().setId(id).build());
        }
        LeaseKeepAliveResponse first = answers.next();
        assertThat(first.getId()).isEqualTo(alive);
        assertThat(first.getTtl()).isEqualTo(60);
        assertThat(first.getEndMs()).isEqualTo(first.getHeader().getClusterTimeMs() + 60_000);
        LeaseKeepAliveResponse gone = answers.next();
        assertThat(gone.getId()).isEqualTo(99);
        assertThat(gone.getTtl()).isZero();
        LeaseKeepAliveResponse shortest = answers.next();
        assertThat(shortest.getId()).isEqualTo(other);
        assertThat(shortest.getTtl()).as("0 would say that it is gone").isEqualTo(1);
        assertThat(node.revision()).isEqualTo(before);
        stream.onCompleted();
        answers.awaitCompletion();
    }

    @Test
    void keep_alive_answers_more_requests_than_its_window() {
        long lease = node.lease();
        Recorder<LeaseKeepAliveRequest, LeaseKeepAliveResponse> answers = Recorder.eager();
        StreamObserver<LeaseKeepAliveRequest> stream = node.streams().leaseKeepAlive(answers);
        int many = 10_000;
        for (int i = 0; i < many; i++) {
            stream.onNext(LeaseKeepAliveRequest.newBuilder().setId(lease).build());
        }
        stream.onCompleted();
        for (int i = 0; i < many; i++) {
            assertThat(answers.next().getTtl()).isPositive();
        }
        answers.awaitCompletion();
    }

    private LeaseTimeToLiveResponse timeToLive(long lease) {
        return node.locks.leaseTimeToLive(
                LeaseTimeToLiveRequest.newBuilder().setId(lease).build());
    }
}
