package dev.holdfast.transcript.words;

import dev.holdfast.core.query.Explanation;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Plan;
import java.util.ArrayList;
import java.util.List;

/** Why somebody waits, and what would become of a request. */
public final class ReasonWords {
    private ReasonWords() {}

    public static List<String> explained(String name, Explanation explanation) {
        List<String> lines = new ArrayList<>();
        lines.add(name + " is blocked at " + Phrases.key(explanation.blockedOn()) + ", "
                + Phrases.ordinal(explanation.position() + 1) + " in line");
        for (Explanation.Step step : explanation.steps()) {
            lines.add(step(step));
        }
        if (!explanation.complete()) {
            lines.add("and more, which was not followed");
        }
        return lines;
    }

    /** What would become of a request in this view. */
    public static String planned(String name, Plan plan, MachineView view) {
        return name + " would " + plan.match(new PlanWords(view));
    }

    private record PlanWords(MachineView view) implements Plan.Cases<String> {
        @Override
        public String wouldBeGranted(Plan.WouldBeGranted plan) {
            return "be granted";
        }

        @Override
        public String wouldWait(Plan.WouldWait plan) {
            String behind = plan.blockers().isEmpty() ? "" : ": " + RefusalWords.blockers(plan.blockers(), view);
            return "wait for " + Phrases.key(plan.blockedOn()) + ", " + Phrases.ordinal(plan.position() + 1)
                    + " in line" + (plan.deadlockChecked() ? "" : ", not checked for deadlock") + behind;
        }

        @Override
        public String wouldDeadlock(Plan.WouldDeadlock plan) {
            return "wait for ever: " + RefusalWords.blockers(plan.cycle(), view);
        }

        @Override
        public String wouldBeRefused(Plan.WouldBeRefused plan) {
            return "be refused " + RefusalWords.of(plan.refusal(), view);
        }
    }

    private static String step(Explanation.Step step) {
        String key = Phrases.key(step.key());
        String age = ", for " + Phrases.duration(step.ageMillis()) + " now";
        String left = ", lease left " + Phrases.duration(step.leaseLeftMillis())
                + LockWords.about(step.purpose(), step.metadata());
        return switch (step.how()) {
            case HOLDS ->
                step.waiter() + " waits for " + step.blocker() + ", who holds " + key + ", token "
                        + Phrases.token(step.blockerToken()) + age + left;
            case WAITS_AHEAD ->
                step.waiter() + " waits for " + step.blocker() + ", who waits ahead for " + key + age + left;
            case LOCK_DELAY ->
                step.waiter() + " waits until " + key + " opens again, closed since " + step.blocker()
                        + " was lost, token " + Phrases.token(step.blockerToken());
        };
    }
}
