package dev.holdfast.core.handler;

import dev.holdfast.core.Limit;
import dev.holdfast.core.result.Refusal;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Lease;
import dev.holdfast.core.state.Ledger;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import org.jspecify.annotations.Nullable;

/**
 * Makes a retried request take effect once.
 *
 * <p>Live requests are their own record. Final answers are kept until the client says that it has them.
 * What is no longer known is refused, never executed again.
 */
final class ExactlyOnce {
    private final State state;
    private final Ledger ledger;
    private final Answers answers;

    ExactlyOnce(State state, Ledger ledger, Answers answers) {
        this.state = state;
        this.ledger = ledger;
        this.answers = answers;
    }

    /** The client has every answer below this seq: they need not be kept. */
    void acknowledgeBelow(Lease lease, long seq) {
        ledger.acknowledgeBelow(lease, seq);
    }

    /** The answer to a request id that is known, or must not be executed; null if it is to be executed. */
    @Nullable
    Result earlierAnswer(Lease lease, long seq) {
        if (seq == 0) {
            return null;
        }
        Request live = lease.request(seq);
        if (live != null) {
            return answers.of(live);
        }
        Result.Final finished = lease.finished(seq);
        if (finished != null) {
            return finished;
        }
        if (seq < lease.ackedBelow()) {
            return new Result.Refused(Refusal.REQUEST_FORGOTTEN, "seq", lease.ackedBelow(), seq);
        }
        long window = state.limit(Limit.UNACKNOWLEDGED);
        return seq - lease.ackedBelow() >= window ? windowFull(lease, seq, window) : null;
    }

    static Result.Refused windowFull(Lease lease, long seq, long window) {
        return new Result.Refused(Refusal.WINDOW_FULL, "seq", window, seq - lease.ackedBelow());
    }

    /** Keeps a final answer for retries, and gives it. */
    <R extends Result> R remember(Lease lease, long seq, R answer) {
        if (answer instanceof Result.Final last) {
            ledger.finish(lease, seq, last);
        }
        return answer;
    }
}
