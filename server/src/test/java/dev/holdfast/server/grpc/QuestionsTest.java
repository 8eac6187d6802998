package dev.holdfast.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Event;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.Explanation;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.HistoryResponse;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.PlanResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.server.InstantLog.Behaviour;
import dev.holdfast.server.fair.Flow;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.read.Reads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuestionsTest {
    private final TestNode node = new TestNode();
    private final long holder = node.lease();
    private final long waiter = node.lease();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void record_names_holder_and_waiters_but_no_lease() {
        LockResponse held = node.hold(holder, "a", 1);
        queue();
        GetResponse found = node.locks.get(GetRequest.newBuilder().setName("a").build());
        assertThat(found.getHeader().getRevision()).isEqualTo(node.revision());
        LockRecord record = found.getLock();
        assertThat(record.getKey()).isEqualTo("a");
        assertThat(record.getWaiterCount()).isEqualTo(1);
        assertThat(record.getWaiters(0).getClientId()).isEqualTo("127.0.0.1");
        assertThat(record.getHolders(0).getFencingToken()).isEqualTo(held.getFencingToken());
        assertThat(record.toString()).doesNotContain("lease_id");
    }

    @Test
    void lock_that_nobody_uses_has_no_record() {
        assertThat(node.locks.get(GetRequest.newBuilder().setName("a").build()).hasLock())
                .isFalse();
    }

    @Test
    void stale_read_needs_no_leader_and_a_linearizable_one_does() {
        node.hold(holder, "a", 1);
        node.log.behave(Behaviour.REFUSE);
        GetRequest.Builder request = GetRequest.newBuilder().setName("a");
        assertThat(node.locks.get(request.setStale(true).build()).hasLock()).isTrue();
        Failing.error(
                Code.NO_LEADER, () -> node.locks.get(request.setStale(false).build()));
    }

    @Test
    void locks_are_listed_in_key_order_in_pages() {
        for (int i = 0; i < 5; i++) {
            node.hold(holder, "p/" + i, i + 1);
        }
        node.hold(holder, "q", 6);
        ListRequest.Builder request = ListRequest.newBuilder().setPrefix("p/").setLimit(3);
        ListResponse first = node.locks.list(request.build());
        assertThat(first.getLocksList()).extracting(LockRecord::getKey).containsExactly("p/0", "p/1", "p/2");
        ListResponse second = node.locks.list(request.setFrom(first.getNext()).build());
        assertThat(second.getLocksList()).extracting(LockRecord::getKey).containsExactly("p/3", "p/4");
        assertThat(second.getNext()).isEmpty();
    }

    @Test
    void list_is_cut_where_its_answer_grows_too_large() {
        ByteString metadata = ByteString.copyFrom(new byte[4_096]);
        for (int i = 0; i < 300; i++) {
            node.locks.lock(TestNode.request(holder, String.format("k%03d", i), i + 1)
                    .setMetadata(metadata)
                    .build());
        }
        ListRequest.Builder request = ListRequest.newBuilder().setLimit(1_000);
        ListResponse first = node.locks.list(request.build());
        assertThat(first.getSerializedSize()).isLessThan(2 * Bounds.MAX_ANSWER_BYTES);
        assertThat(first.getLocksCount()).isLessThan(300);
        ListResponse rest = node.locks.list(request.setFrom(first.getNext()).build());
        assertThat(first.getLocksCount() + rest.getLocksCount()).isEqualTo(300);
    }

    @Test
    void history_is_newest_first_without_lease_ids() {
        LockResponse held = node.hold(holder, "a", 1);
        node.hold(holder, "b", 2);
        node.locks.unlock(UnlockRequest.newBuilder()
                .setName("a")
                .setLeaseId(holder)
                .setFencingToken(held.getFencingToken())
                .build());
        var events = node.locks
                .history(HistoryRequest.newBuilder().setName("a").build())
                .getEventsList();
        assertThat(events).extracting(Event::getWhat).containsExactly(Event.What.ENDED, Event.What.GRANTED);
        assertThat(events).allSatisfy(event -> {
            assertThat(event.getKv().getLeaseId()).isZero();
            assertThat(event.getKv().getFencingToken()).isEqualTo(held.getFencingToken());
        });
        assertThat(node.locks
                        .history(HistoryRequest.newBuilder()
                                .setName("a")
                                .setLimit(1)
                                .build())
                        .getEventsCount())
                .isEqualTo(1);
    }

    @Test
    void history_goes_on_page_by_page() {
        for (int i = 0; i < 5; i++) {
            LockResponse held = node.hold(holder, "a", i + 1);
            node.locks.unlock(UnlockRequest.newBuilder()
                    .setName("a")
                    .setLeaseId(holder)
                    .setFencingToken(held.getFencingToken())
                    .build());
        }
        HistoryRequest.Builder request =
                HistoryRequest.newBuilder().setName("a").setLimit(3);
        List<Long> told = new ArrayList<>();
        long next = 0;
        do {
            HistoryResponse page = node.locks.history(request.setBefore(next).build());
            page.getEventsList().forEach(event -> told.add(event.getRevision()));
            assertThat(page.getEventsCount()).isLessThanOrEqualTo(3);
            next = page.getNext();
        } while (next != 0);
        assertThat(told).hasSize(10).doesNotHaveDuplicates().isSortedAccordingTo(Comparator.reverseOrder());
    }

    @Test
    void history_tells_a_grant_of_many_permits_once() {
        node.locks.lock(LockRequest.newBuilder()
                .setLeaseId(holder)
                .setSeq(1)
                .setMetadata(ByteString.copyFrom(new byte[4_096]))
                .addItems(Item.newBuilder()
                        .setKey("s")
                        .setKind(Kind.PERMITS)
                        .setCapacity(1_000)
                        .setCount(1_000))
                .build());
        HistoryResponse history =
                node.locks.history(HistoryRequest.newBuilder().setName("s").build());
        assertThat(history.getEventsList())
                .singleElement()
                .satisfies(event -> assertThat(event.getWhat()).isEqualTo(Event.What.GRANTED));
        assertThat(history.getSerializedSize()).isLessThan(10_000);
    }

    @Test
    void questions_are_asked_by_the_event_loop_of_the_call() {
        List<String> threads = new CopyOnWriteArrayList<>();
        Reads.Question<Boolean> question = node.core
                .reads()
                .read(
                        Flow.OF_NODE,
                        false,
                        view -> threads.add(Thread.currentThread().getName()));
        question.ready().join();
        assertThat(threads).as("whoever applies entries does not ask").isEmpty();
        question.on(task -> new Thread(task, "the-loop").start()).join();
        assertThat(threads).containsExactly("the-loop");
    }

    @Test
    void explain_names_who_is_in_the_way() {
        LockResponse held = node.hold(holder, "a", 1);
        queue();
        var explanations = node.locks
                .explain(ExplainRequest.newBuilder().setLeaseId(waiter).build())
                .getExplanationsList();
        assertThat(explanations).singleElement().satisfies(explanation -> {
            assertThat(explanation.getBlockedOn()).isEqualTo("a");
            assertThat(explanation.getSteps(0).getHow()).isEqualTo(Explanation.Step.How.HOLDS);
            assertThat(explanation.getSteps(0).getBlockerToken()).isEqualTo(held.getFencingToken());
        });
        assertThat(node.locks
                        .explain(ExplainRequest.newBuilder().setLeaseId(holder).build())
                        .getExplanationsList())
                .isEmpty();
    }

    @Test
    void plan_says_what_would_happen_and_changes_nothing() {
        node.hold(holder, "a", 1);
        long before = node.revision();
        assertThat(plan(waiter, "b")).isEqualTo(PlanResponse.Verdict.WOULD_BE_GRANTED);
        PlanResponse wait = node.locks.plan(TestNode.request(waiter, "a", 1).build());
        assertThat(wait.getVerdict()).isEqualTo(PlanResponse.Verdict.WOULD_WAIT);
        assertThat(wait.getBlockedOn()).isEqualTo("a");
        assertThat(wait.getBlockersCount()).isEqualTo(1);
        PlanResponse refused = node.locks.plan(TestNode.request(4711, "a", 1).build());
        assertThat(refused.getVerdict()).isEqualTo(PlanResponse.Verdict.WOULD_BE_REFUSED);
        assertThat(refused.getError().getCode()).isEqualTo(Code.LEASE_NOT_FOUND);
        assertThat(node.revision()).isEqualTo(before);
    }

    private void queue() {
        Recorder<LockRequest, LockResponse> waiting = Recorder.eager();
        node.streams().lock(TestNode.request(waiter, "a", 1).setTimeoutMs(-1).build(), waiting);
        await().until(() -> node.waiters("a") == 1);
    }

    private PlanResponse.Verdict plan(long lease, String key) {
        return node.locks.plan(TestNode.request(lease, key, 1).build()).getVerdict();
    }
}
