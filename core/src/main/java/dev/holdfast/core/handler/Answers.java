package dev.holdfast.core.handler;

import dev.holdfast.core.grant.GrantRule;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Lock;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.Transitions;
import dev.holdfast.core.state.Waiting;

/** What a request is told about itself. */
final class Answers {
    private final Transitions transitions;
    private final GrantRule rule;

    Answers(Transitions transitions, GrantRule rule) {
        this.transitions = transitions;
        this.rule = rule;
    }

    Result.Queued queued(Request request, Waiting waiting) {
        Claim blocker = rule.blockerOf(request);
        Lock blockedOn = blocker == null ? request.lock() : blocker.lock();
        return new Result.Queued(
                request.revision(),
                blockedOn.waitersBelow(request.rank()),
                blockedOn.name(),
                waiting.isDeadlockChecked());
    }

    /** What is known of a live request. */
    Result of(Request request) {
        Waiting waiting = request.waiting();
        return waiting == null ? transitions.granted(request) : queued(request, waiting);
    }
}
