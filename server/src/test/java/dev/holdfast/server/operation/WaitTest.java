package dev.holdfast.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.RequestFailure;
import dev.holdfast.server.request.Requests.Answer;
import dev.holdfast.server.request.Stamp;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitTest {
    private static final LeaseId LEASE = new LeaseId(5);
    private static final LockKey KEY = LockKey.of("a");
    private static final Stamp STAMP = new Stamp(1, 10, 1_000, 100);

    private final LockReplica replica = new LockReplica(role -> {}, (message, cause) -> {});

    @Test
    void grant_after_the_answer_ends_the_wait() {
        Wait wait = waitOf(3);
        CompletableFuture<Answer> end = wait.queued(place(50));
        assertThat(end).isNotDone();
        wait.happened(granted(3, 60, 50), STAMP);
        assertThat(end.join().result()).isInstanceOfSatisfying(Result.Granted.class, granted -> {
            assertThat(granted.token().revision()).isEqualTo(60);
            assertThat(granted.leaseEndMillis()).isEqualTo(7_000);
        });
        assertThat(end.join().stamp()).isEqualTo(STAMP);
    }

    @Test
    void grant_before_the_answer_ends_the_wait_at_once() {
        Wait wait = waitOf(3);
        wait.happened(granted(3, 60, 50), STAMP);
        assertThat(wait.queued(place(50))).isCompleted();
    }

    @Test
    void event_of_an_earlier_request_on_the_same_key_is_not_taken_for_this_one() {
        Wait wait = waitOf(0);
        wait.happened(left(0, 40, EndReason.CANCELLED), STAMP);
        CompletableFuture<Answer> end = wait.queued(place(50));
        assertThat(end).isNotDone();
        wait.happened(left(0, 45, EndReason.CANCELLED), STAMP);
        assertThat(end).isNotDone();
        wait.happened(granted(0, 60, 50), STAMP);
        assertThat(end.join().result()).isInstanceOf(Result.Granted.class);
    }

    @Test
    void events_of_other_requests_do_not_matter() {
        Wait wait = waitOf(3);
        CompletableFuture<Answer> end = wait.queued(place(50));
        wait.happened(granted(4, 60, 51), STAMP);
        wait.happened(left(0, 61, EndReason.TIMEOUT), STAMP);
        wait.happened(
                new Event.Released(62, 0, 0, party(3), holds(), FencingToken.of(1, 60), EndReason.RELEASED, ""), STAMP);
        assertThat(end).isNotDone();
    }

    @ParameterizedTest
    @CsvSource({
        "TIMEOUT, TIMEOUT",
        "CANCELLED, CANCELLED",
        "FORCED, CANCELLED",
        "RESTORED, CANCELLED",
        "LEASE_EXPIRED, LEASE_ENDED",
        "LEASE_REVOKED, LEASE_ENDED",
        "GRANT_ENDED, GRANT_ENDED"
    })
    void leaving_the_queue_is_a_refusal(EndReason reason, Refusal refusal) {
        Wait wait = waitOf(3);
        CompletableFuture<Answer> end = wait.queued(place(50));
        wait.happened(left(3, 60, reason), STAMP);
        assertThat(end.join().result())
                .isInstanceOfSatisfying(
                        Result.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(refusal));
    }

    @Test
    void upgrade_ends_with_the_change_of_mode_that_carries_its_seq() {
        Wait wait = waitOf(4);
        CompletableFuture<Answer> end = wait.queued(place(50));
        FencingToken before = FencingToken.of(1, 20);
        wait.happened(modeChanged(55, before, before, 0), STAMP);
        assertThat(end).as("a downgrade has no seq").isNotDone();
        wait.happened(modeChanged(60, FencingToken.of(1, 60), before, 4), STAMP);
        assertThat(end.join().result())
                .isInstanceOfSatisfying(
                        Result.Granted.class,
                        granted -> assertThat(granted.token().revision()).isEqualTo(60));
    }

    @Test
    void replaced_state_leaves_the_outcome_unknown_before_and_after_the_answer() {
        Wait early = waitOf(3);
        early.interrupted();
        Wait late = waitOf(3);
        CompletableFuture<Answer> end = late.queued(place(50));
        late.interrupted();
        for (CompletableFuture<Answer> each : List.of(early.queued(place(50)), end)) {
            assertThat(each)
                    .failsWithin(java.time.Duration.ZERO)
                    .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                    .withCauseInstanceOf(RequestFailure.class);
        }
    }

    @Test
    void abandoned_wait_ends_before_and_after_the_answer() {
        Wait early = waitOf(3);
        early.abandon();
        assertThat(early.queued(place(50))).isCompletedExceptionally();
        Wait late = waitOf(3);
        CompletableFuture<Answer> end = late.queued(place(50));
        late.abandon();
        assertThat(end).isCompletedExceptionally();
    }

    private Wait waitOf(long seq) {
        return new Wait(RequestId.of(LEASE, seq, KEY), replica);
    }

    private static Event.Party party(long seq) {
        return new Event.Party(LEASE, "c", seq);
    }

    private static List<Hold> holds() {
        return List.of(Hold.of(KEY, Kind.PLAIN, Mode.EXCLUSIVE));
    }

    private static Event granted(long seq, long revision, long queuedRevision) {
        return new Event.Granted(
                revision,
                0,
                0,
                party(seq),
                holds(),
                FencingToken.of(1, revision),
                queuedRevision,
                7_000,
                0,
                "",
                Metadata.NONE);
    }

    private static Event left(long seq, long revision, EndReason reason) {
        return new Event.Left(revision, 0, 0, party(seq), holds(), reason);
    }

    private static Event modeChanged(long revision, FencingToken token, FencingToken previous, long seq) {
        return new Event.ModeChanged(revision, 0, 0, party(3), holds(), token, previous, seq);
    }

    private static Result.Queued place(long revision) {
        return new Result.Queued(revision, 0, KEY, true);
    }
}
