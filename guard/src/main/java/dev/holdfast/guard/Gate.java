package dev.holdfast.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The way in to what one key protects.
 *
 * <p>Whoever comes raises the mark first and then waits for older accesses inside to leave: no more of them get in
 * meanwhile, so the wait is no longer than the longest of them, and what they do is seen by the newcomer. The number of
 * a write counts once it is done: one that failed may come again under the same number.
 */
final class Gate {
    private final List<Access> inside = new ArrayList<>();
    private Marks marks = Marks.NONE;

    synchronized Entry enter(Access access, Duration patience) {
        marks = verdict(access.unnumbered()).marks();
        awaitTurn(access, patience);
        Entry entry = verdict(access).entry();
        inside.add(access);
        return entry;
    }

    private synchronized void awaitTurn(Access access, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            while (mustWait(access)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new GuardBusyException(access, patience);
                }
                try {
                    // Rounded up: a wait of zero would be one for ever.
                    wait(left / 1_000_000 + 1);
                } catch (InterruptedException e) {
                    // The wait is short; the interrupt is kept for the body.
                    interrupted = true;
                }
                // Somebody newer may have come by meanwhile: there is nothing more to wait for then.
                verdict(access.unnumbered());
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The access is over, and was done. */
    synchronized void done(Access access) {
        // A newer one may have raised the mark since; it waits, and the numbers of this grant do not matter any more.
        if (marks.enter(access) instanceof Verdict.Entered entered) {
            marks = entered.marks();
        }
    }

    /** The access is over, done or not. */
    synchronized void leave(Access access) {
        inside.remove(access);
        notifyAll();
    }

    private Verdict.Entered verdict(Access access) {
        return marks.enter(access).orRefuse(access);
    }

    /** For older accesses; and for numbered writes of the same grant, of which one is done after the other. */
    private boolean mustWait(Access access) {
        return inside.stream()
                .filter(other -> other.excludes(access))
                .anyMatch(other -> other.token() < access.token() || (other.isNumbered() && access.isNumbered()));
    }
}
