package dev.holdfast.simulator.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls and returns of one key in the order of time, out of which operations are taken and put back.
 *
 * <p>What can come next in an order is a call that no return precedes. Operations of unknown outcome have no return,
 * for nothing has to come after them; they lie in a list of their own and are offered last, because most of them
 * never mattered.
 */
final class Timeline {
    /** A call or a return. */
    static final class Moment {
        final int operation;
        private final boolean isCall;
        private final long time;
        /** Of a call, its return; null if the outcome is unknown. */
        private @Nullable Moment end;

        private @Nullable Moment previous;
        private @Nullable Moment next;
        private boolean isOut;
        /** Among those of unknown outcome. */
        private int position;

        private Moment(int operation, boolean isCall, long time) {
            this.operation = operation;
            this.isCall = isCall;
            this.time = time;
        }

        private boolean isLoose() {
            return isCall && end == null;
        }

        private void unlink() {
            if (previous != null) {
                previous.next = next;
            }
            if (next != null) {
                next.previous = previous;
            }
        }

        /** Its neighbours must be those it had when it was unlinked. */
        private void relink() {
            if (previous != null) {
                previous.next = this;
            }
            if (next != null) {
                next.previous = this;
            }
        }
    }

    private final Moment start = new Moment(-1, true, Long.MIN_VALUE);
    /** The calls of unknown outcome, in the order of time. */
    private final List<Moment> loose = new ArrayList<>();

    Timeline(List<? extends Operation<?, ?>> operations) {
        List<Moment> moments = new ArrayList<>(2 * operations.size());
        for (int i = 0; i < operations.size(); i++) {
            Operation<?, ?> operation = operations.get(i);
            Moment call = new Moment(i, true, operation.called());
            if (operation.output().isEmpty()) {
                loose.add(call);
                continue;
            }
            Moment end = new Moment(i, false, operation.returned());
            call.end = end;
            moments.add(call);
            moments.add(end);
        }
        // At one time calls come first, so that a return at the same moment does not exclude an overlap.
        moments.sort(Comparator.<Moment>comparingLong(moment -> moment.time)
                .thenComparing(moment -> !moment.isCall)
                .thenComparingInt(moment -> moment.operation));
        Moment last = start;
        for (Moment moment : moments) {
            last.next = moment;
            moment.previous = last;
            last = moment;
        }
        loose.sort(Comparator.comparingLong(moment -> moment.time));
        for (int i = 0; i < loose.size(); i++) {
            loose.get(i).position = i;
        }
    }

    /** The first call that may come next, or null if there is none. */
    @Nullable
    Moment firstCandidate() {
        return candidateAfter(start);
    }

    /** The call to try after this one, or null if there is none left. */
    @Nullable
    Moment candidateAfter(Moment call) {
        if (call.isLoose() && call != start) {
            return looseFrom(call.position + 1);
        }
        return call.next != null && call.next.isCall ? call.next : looseFrom(0);
    }

    private @Nullable Moment looseFrom(int position) {
        long firstReturn = timeOfFirstReturn();
        for (int i = position; i < loose.size() && loose.get(i).time <= firstReturn; i++) {
            if (!loose.get(i).isOut) {
                return loose.get(i);
            }
        }
        return null;
    }

    private long timeOfFirstReturn() {
        Moment moment = start.next;
        while (moment != null && moment.isCall) {
            moment = moment.next;
        }
        return moment == null ? Operation.NEVER : moment.time;
    }

    void takeOut(Moment call) {
        call.isOut = true;
        if (call.end != null) {
            call.unlink();
            call.end.unlink();
        }
    }

    /** Puts back what was taken out last. */
    void putBack(Moment call) {
        call.isOut = false;
        if (call.end != null) {
            call.end.relink();
            call.relink();
        }
    }

    /** The operations that can come next as far as time is concerned. */
    List<Integer> candidates() {
        List<Integer> candidates = new ArrayList<>();
        for (Moment call = firstCandidate(); call != null; call = candidateAfter(call)) {
            candidates.add(call.operation);
        }
        return candidates;
    }
}
