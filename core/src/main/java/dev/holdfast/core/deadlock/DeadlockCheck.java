package dev.holdfast.core.deadlock;

import dev.holdfast.core.Budget;
import dev.holdfast.core.Limit;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.state.Actor;
import dev.holdfast.core.state.Claim;
import dev.holdfast.core.state.Request;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.Transitions;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out whether a newcomer could ever be granted if it waited.
 *
 * <p>An actor can finish if it waits for nothing, or if enough of those it waits for can finish. Whoever
 * is not in the least fixpoint of that rule is stuck. Nobody is stuck before the newcomer arrives, for
 * everyone was checked then, so the walk starts at the newcomer and follows its needs.
 */
public final class DeadlockCheck {
    /** Looking at this much of what is held is cheaper than the walk that it may save. */
    private static final int LOOKS_BEFORE_A_WALK = 256;

    private final State state;
    private final Transitions transitions;
    private final Blockers blockers;

    public DeadlockCheck(State state, Transitions transitions) {
        this.state = state;
        this.transitions = transitions;
        this.blockers = new Blockers(state);
    }

    /** What a check found. */
    public enum Finding {
        /** It can be granted some day. */
        FREE,
        /** The walk was longer than its bound. */
        INCOMPLETE,
        /** It never could be. */
        STUCK
    }

    /**
     * What a check found.
     *
     * @param cycle who waits for whom, around to where it began, if it is stuck; the first of them if they are many
     * @param members how many they are
     */
    public record Verdict(Finding finding, List<Result.Blocker> cycle, int members) {
        private static final Verdict FREE = new Verdict(Finding.FREE, List.of(), 0);
        private static final Verdict INCOMPLETE = new Verdict(Finding.INCOMPLETE, List.of(), 0);
    }

    public Verdict check(Request newcomer) {
        if (holdsNothing(newcomer) || nobodyWaitsFor(newcomer)) {
            return Verdict.FREE;
        }
        Walk walk = new Walk(blockers, newcomer, Budget.ofVisits(state.limit(Limit.WALK_VISITS)));
        // An upgrade goes before those who wait already, so they must be seen to wait for it.
        boolean complete = newcomer.isUpgrade() ? transitions.asIfQueued(newcomer, walk::explore) : walk.explore();
        if (!complete) {
            return Verdict.INCOMPLETE;
        }
        return walk.canFinish() ? Verdict.FREE : stuck(walk.cycle());
    }

    private Verdict stuck(List<Claim> cycle) {
        List<Result.Blocker> told = new ArrayList<>();
        for (Claim claim : cycle.subList(0, Math.min(cycle.size(), Result.CYCLE_SHOWN))) {
            told.add(state.blocker(claim));
        }
        return new Verdict(Finding.STUCK, told, cycle.size());
    }

    /** True if no one could ever wait for the newcomer before it is granted. */
    private static boolean holdsNothing(Request newcomer) {
        return newcomer.actor() == null && !newcomer.isUpgrade();
    }

    /** True if no one waits for anything that the newcomer's actor holds; false if that is not cheap to say. */
    private boolean nobodyWaitsFor(Request newcomer) {
        Actor actor = newcomer.actor();
        if (newcomer.isUpgrade() || actor == null || state.subtreeClaims() > 0 || newcomer.hasSubtree()) {
            return false;
        }
        if (actor.holdCount() > LOOKS_BEFORE_A_WALK || actor.isWaiting()) {
            return false;
        }
        Budget looks = Budget.ofVisits(LOOKS_BEFORE_A_WALK);
        for (Request held : actor.holds()) {
            for (Claim claim = held; claim != null; claim = claim.next()) {
                // Its own hold may be in its own way, or in that of one who waits.
                if (claim.lock().waiterCount() > 0 || isWanted(claim, newcomer, looks)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether the newcomer wants what is held here, or so much was looked at already that it cannot be said. */
    private static boolean isWanted(Claim held, Request newcomer, Budget looks) {
        for (Claim claim = newcomer; claim != null; claim = claim.next()) {
            if (claim.lock() == held.lock() || !looks.visit()) {
                return true;
            }
        }
        return false;
    }
}
