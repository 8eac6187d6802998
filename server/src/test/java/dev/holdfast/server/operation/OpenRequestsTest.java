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
import dev.holdfast.core.result.Result;
import dev.holdfast.server.operation.OpenRequests.Open;
import dev.holdfast.server.operation.PendingRequest.News;
import dev.holdfast.server.replica.LockReplica;
import dev.holdfast.server.request.Stamp;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenRequestsTest {
    private static final LeaseId LEASE = new LeaseId(5);
    private static final LockKey KEY = LockKey.of("a");
    private static final FencingToken TOKEN = FencingToken.of(1, 60);

    private final LockReplica replica = new LockReplica(role -> {}, (message, cause) -> {});
    private final OpenRequests requests = new OpenRequests();

    @Test
    void grant_that_is_applied_here_before_the_leaders_answer_follows_it() {
        Open open = ask(3);
        News granted = granted(3, 60, 50);
        assertThat(requests.holdsBack(granted)).isTrue();
        assertThat(requests.answered(open, new Result.Queued(50, 0, KEY, true))).containsExactly(granted);
        assertThat(requests.holdsBack(granted)).as("nobody asks any more").isFalse();
    }

    @Test
    void end_that_the_answer_tells_is_no_news() {
        Open open = ask(3);
        assertThat(requests.holdsBack(granted(3, 60, 50))).isTrue();
        Result answer = new Result.Granted(TOKEN, holds(), 0, 0);
        assertThat(requests.answered(open, answer)).isEmpty();
    }

    @Test
    void loss_of_a_grant_is_news_even_if_it_came_before_the_grants_answer() {
        Open open = ask(3);
        News lost = released(3);
        assertThat(requests.holdsBack(lost)).isTrue();
        assertThat(requests.answered(open, new Result.Granted(TOKEN, holds(), 0, 0)))
                .containsExactly(lost);
    }

    @Test
    void loss_of_a_grant_waits_for_the_answer_to_its_upgrade() {
        Open upgrade = ask(4);
        assertThat(requests.holdsBack(released(3))).isTrue();
        assertThat(requests.answered(upgrade, null)).hasSize(1);
    }

    @Test
    void upgrade_that_was_granted_by_its_answer_is_not_told_twice_whichever_comes_first() {
        Result granted = new Result.Granted(TOKEN, holds(), 0, 0);
        Open first = ask(4);
        assertThat(requests.answered(first, granted)).isEmpty();
        assertThat(requests.holdsBack(upgraded())).isTrue();
        Open second = ask(4);
        assertThat(requests.holdsBack(upgraded())).isTrue();
        assertThat(requests.answered(second, granted)).isEmpty();
        assertThat(requests.holdsBack(upgraded())).as("of one that waited").isFalse();
    }

    @Test
    void end_of_an_earlier_request_without_an_id_is_not_taken_for_the_new_one() {
        Open open = ask(0);
        assertThat(requests.holdsBack(left(0, 40))).isTrue();
        assertThat(requests.answered(open, new Result.Queued(50, 0, KEY, true))).isEmpty();
    }

    @Test
    void news_of_other_leases_and_keys_do_not_wait() {
        ask(3);
        Event.Party other = new Event.Party(new LeaseId(6), "c", 3);
        Event event = new Event.Left(70, 0, 0, other, holds(), EndReason.TIMEOUT);
        assertThat(requests.holdsBack(news(event))).isFalse();
        Event elsewhere = new Event.Left(
                70, 0, 0, party(9), List.of(Hold.of(LockKey.of("b"), Kind.PLAIN, Mode.EXCLUSIVE)), EndReason.TIMEOUT);
        assertThat(requests.holdsBack(news(elsewhere))).isFalse();
    }

    private Open ask(long seq) {
        return requests.asked(RequestId.of(LEASE, seq, KEY), List.of(KEY), seq == 4);
    }

    private News granted(long seq, long revision, long queuedRevision) {
        return news(
                new Event.Granted(revision, 0, 0, party(seq), holds(), TOKEN, queuedRevision, 0, 0, "", Metadata.NONE));
    }

    private News left(long seq, long revision) {
        return news(new Event.Left(revision, 0, 0, party(seq), holds(), EndReason.CANCELLED));
    }

    private News released(long seq) {
        return news(new Event.Released(80, 0, 0, party(seq), holds(), TOKEN, EndReason.FORCED, ""));
    }

    private News upgraded() {
        return news(new Event.ModeChanged(60, 0, 0, party(3), holds(), TOKEN, FencingToken.of(1, 20), 4));
    }

    private News news(Event event) {
        Stamp stamp = new Stamp(1, 1, 0, event.revision());
        return News.of(event, stamp, replica);
    }

    private static Event.Party party(long seq) {
        return new Event.Party(LEASE, "c", seq);
    }

    private static List<Hold> holds() {
        return List.of(Hold.of(KEY, Kind.PLAIN, Mode.EXCLUSIVE));
    }
}
