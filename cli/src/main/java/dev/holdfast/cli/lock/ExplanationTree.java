package dev.holdfast.cli.lock;

import dev.holdfast.cli.output.Durations;
import dev.holdfast.protocol.v1.Explanation;
import dev.holdfast.protocol.v1.Explanation.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An explanation as a tree for people: under each waiter are those in its way, and under those what they wait for
 * themselves.
 *
 * <p>The steps come nearest first and say of each waiter who blocks it. A blocker's own waits are the steps whose
 * waiter has its name; each is shown once, where it first comes up.
 */
final class ExplanationTree {
    private static final String INDENT = "  ";

    private final List<Step> steps;
    private final Set<Long> told = new HashSet<>();
    private final List<String> lines = new ArrayList<>();

    private ExplanationTree(Explanation explanation) {
        this.steps = explanation.getStepsList();
    }

    static List<String> lines(Explanation explanation) {
        ExplanationTree chain = new ExplanationTree(explanation);
        String place = explanation.getPosition() == 0
                ? "first in line"
                : explanation.getPosition() + (explanation.getPosition() == 1 ? " waits" : " wait") + " ahead";
        if (chain.steps.isEmpty()) {
            chain.lines.add(
                    "a request for " + explanation.getBlockedOn() + " is " + place + ", with nothing in its way");
        } else {
            Step first = chain.steps.get(0);
            chain.lines.add(first.getWaiter() + " waits for " + explanation.getBlockedOn() + ", " + place);
            chain.below(first.getWaiterRevision(), 1);
        }
        if (explanation.getIncomplete()) {
            chain.lines.add("... and more than was followed");
        }
        return chain.lines;
    }

    private void below(long waiterRevision, int depth) {
        if (!told.add(waiterRevision)) {
            return;
        }
        for (Step step : steps) {
            if (step.getWaiterRevision() == waiterRevision) {
                lines.add(INDENT.repeat(depth) + line(step));
                waitsOf(step).forEach(next -> below(next, depth + 1));
            }
        }
    }

    private List<Long> waitsOf(Step blocker) {
        return steps.stream()
                .filter(step -> step.getWaiter().equals(blocker.getBlocker()))
                .map(Step::getWaiterRevision)
                .distinct()
                .toList();
    }

    private static String line(Step step) {
        String age = Durations.text(step.getAgeMs());
        String what = switch (step.getHow()) {
            case WAITS_AHEAD -> " waits ahead for " + step.getKey() + ", since " + age;
            case LOCK_DELAY -> " was lost with " + step.getKey() + ", and its lock-delay runs";
            default -> " holds " + step.getKey() + " under token " + step.getBlockerToken() + ", since " + age;
        };
        List<String> more = new ArrayList<>();
        String origin = Origin.of(step.getMetadata()).text();
        if (!origin.isEmpty()) {
            more.add(origin);
        }
        if (!step.getPurpose().isEmpty()) {
            more.add("for " + step.getPurpose());
        }
        more.add("lease left " + Durations.text(step.getLeaseLeftMs()));
        return step.getBlocker() + what + " (" + String.join("; ", more) + ")";
    }
}
