package dev.holdfast.core.handler;

import dev.holdfast.core.Limit;
import dev.holdfast.core.Quota;
import dev.holdfast.core.command.Command;
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
 * What is no longer known is refused, never executed again. Nothing is executed that could not be remembered: a client
 * that acknowledges nothing is refused once the answers kept for it are too many, or too large.
 */
final class ExactlyOnce {
    private final State state;
    private final Ledger ledger;
    private final Answers answers;
    private final Quotas quotas;

    ExactlyOnce(State state, Ledger ledger, Answers answers) {
        this.state = state;
        this.ledger = ledger;
        this.answers = answers;
        this.quotas = new Quotas(state);
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
        return seq - lease.ackedBelow() >= window ? windowFull(lease, seq, window) : checkMemory(lease, 1);
    }

    /**
     * Likewise for an extension. Its id is any number, so what was forgotten could not be told from what is new:
     * nothing is forgotten while the lease lives. What is kept for some time from now can be repeated as it is, and
     * takes no memory.
     */
    @Nullable
    Result earlierAnswer(Lease lease, Command.ExtendLease command) {
        long id = command.requestId();
        if (id == 0) {
            return null;
        }
        if (id < 0) {
            return LeaseHandler.invalid("requestId", 0, id);
        }
        Result.LeaseGranted known = lease.extension(id);
        if (known != null || command.ttlMillis() != 0) {
            return known;
        }
        long most = state.limit(Limit.UNACKNOWLEDGED);
        int kept = lease.extensions().size();
        return kept >= most
                ? new Result.Refused(Refusal.WINDOW_FULL, Limit.UNACKNOWLEDGED.name(), most, kept + 1L)
                : checkMemory(lease, 1);
    }

    /**
     * Whether so much is kept for the lease, its principal or its tenant that nothing more may be done for it.
     *
     * @param times how often the room there is counts
     */
    Result.@Nullable Refused checkMemory(Lease lease, int times) {
        long most = times * state.limit(Limit.REMEMBERED_BYTES);
        if (lease.rememberedBytes() >= most) {
            return memoryFull(Limit.REMEMBERED_BYTES.name(), most, lease.rememberedBytes() + 1L);
        }
        Result.Refused quota = quotas.check(lease.account(), Quota.REMEMBERED_BYTES, 1, times);
        return quota == null ? null : memoryFull(quota.subject(), quota.limit(), quota.actual());
    }

    private static Result.Refused memoryFull(String limit, long most, long bytes) {
        return new Result.Refused(Refusal.WINDOW_FULL, limit, most, bytes);
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
