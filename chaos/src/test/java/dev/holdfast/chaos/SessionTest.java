package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.v1.Attach;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A session outlives the node it was opened with. */
class SessionTest {
    private static final long TTL_MILLIS = 600_000; // outlives the test: nothing here renews
    private static final long HOLDER = 1;
    private static final long WAITER = 2;
    private static final long LATER = 3;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    private static LeaseGrantRequest lease(long id, String client) {
        return LeaseGrantRequest.newBuilder()
                .setId(id)
                .setTtlMs(TTL_MILLIS)
                .setClientId(client)
                .build();
    }

    private static LockResponse acquire(SessionClient session, String key, long lease, long seq) {
        return session.ask(ClientMessage.newBuilder().setAcquire(SessionClient.waiting(key, lease, seq)))
                .getLock();
    }

    private static UnlockRequest release(String key, long lease, long token) {
        return UnlockRequest.newBuilder()
                .setName(key)
                .setLeaseId(lease)
                .setFencingToken(token)
                .build();
    }

    private static List<String> holdersInTurn(EventLog events, String key) {
        return events.of(key).stream()
                .filter(event -> event.getWhat() == Event.What.GRANTED)
                .map(event -> event.getKv().getHolderId())
                .toList();
    }

    @Test
    void a_waiter_keeps_its_place_when_the_leader_it_waited_with_is_killed() throws Exception {
        try (Cluster cluster = Cluster.start(root, 3, Map.of("election-profile", "fast"))) {
            EventLog events = new EventLog(cluster.clients(), cluster.addresses()).start();
            NodeProcess leader = cluster.awaitLeader();
            Insistence holder = new Insistence(cluster.clients(), cluster.addresses());
            holder.wander(new SplittableRandom(1));
            holder.insist(stub -> stub.leaseGrant(lease(HOLDER, "holder")));
            long a = holder.insist(stub ->
                            stub.lock(SessionClient.waiting("a", HOLDER, 1).build()))
                    .getFencingToken();
            long b = holder.insist(stub ->
                            stub.lock(SessionClient.waiting("b", HOLDER, 2).build()))
                    .getFencingToken();

            SessionClient waiter = new SessionClient(cluster.clients(), leader.clientAddress(), "waiter");
            waiter.ask(ClientMessage.newBuilder().setLeaseGrant(lease(WAITER, "waiter")));
            LockResponse queued = acquire(waiter, "a", WAITER, 1);
            assertThat(queued.getQueued()).isTrue();
            assertThat(acquire(waiter, "b", WAITER, 2).getQueued()).isTrue();
            SessionClient later =
                    new SessionClient(cluster.clients(), cluster.follower().clientAddress(), "later");
            later.ask(ClientMessage.newBuilder().setLeaseGrant(lease(LATER, "later")));
            assertThat(acquire(later, "a", LATER, 1).getQueued()).isTrue();

            leader.kill();
            waiter.awaitBroken();
            // Granted while nobody listens for it.
            holder.insist(stub -> stub.unlock(release("b", HOLDER, b)));
            SessionClient again =
                    new SessionClient(cluster.clients(), cluster.follower().clientAddress(), "waiter");
            assertThat(again.ask(ClientMessage.newBuilder()
                                    .setAttach(Attach.newBuilder().setLeaseId(WAITER)))
                            .getAttached()
                            .getExists())
                    .isTrue();
            LockResponse asBefore = acquire(again, "a", WAITER, 1);
            assertThat(asBefore.getQueued()).isTrue();
            assertThat(asBefore.getPosition()).as("its place").isEqualTo(queued.getPosition());
            assertThat(acquire(again, "b", WAITER, 2).getAcquired()).isTrue();

            holder.insist(stub -> stub.unlock(release("a", HOLDER, a)));
            long token = again.awaitGrant(WAITER, 1).getLock().getFencingToken();
            var record = holder.insist(stub ->
                            stub.get(GetRequest.newBuilder().setName("a").build()))
                    .getLock();
            assertThat(record.getHoldersList())
                    .singleElement()
                    .satisfies(now -> assertThat(now.getFencingToken()).isEqualTo(token));
            assertThat(record.getWaiterCount()).isEqualTo(1);
            again.ask(ClientMessage.newBuilder().setRelease(release("a", WAITER, token)));
            later.awaitGrant(LATER, 1);

            events.catchUp();
            events.verify(new Load(cluster.clients(), cluster.addresses(), 0, 1));
            assertThat(holdersInTurn(events, "a")).containsExactly("holder", "waiter", "later");
            assertThat(holdersInTurn(events, "b")).containsExactly("holder", "waiter");
            leader.start();
            cluster.assertStatesEqual();
        }
    }
}
