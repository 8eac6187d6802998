package dev.holdfast.core.model;

import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.model.CommandGenerator.Entry;
import dev.holdfast.core.model.CommandGenerator.Restore;
import dev.holdfast.core.model.CommandGenerator.Step;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.snapshot.StateHash;
import java.util.Arrays;
import java.util.Optional;

/** One seed, played by two machines side by side. */
final class Duel {
    static final int STEPS = 200;

    private final long seed;
    private final Machine model;
    private final Machine machine;

    Duel(long seed, Machine model, Machine machine) {
        this.seed = seed;
        this.model = model;
        this.machine = machine;
    }

    /** Plays until the two differ, and says how. */
    Optional<String> firstDifference() {
        StateImage image = model.image();
        CommandGenerator generator = new CommandGenerator(seed, image);
        for (int number = 0; number < STEPS; number++) {
            Step step = generator.next(image);
            Applied expected;
            Applied actual;
            StateImage actualImage;
            try {
                expected = play(step, model);
                image = model.image();
                actual = play(step, machine);
                actualImage = machine.image();
            } catch (RuntimeException e) {
                throw new AssertionError(report(number, step, "an exception: " + e), e);
            }
            StateImage expectedImage = image;
            Optional<String> difference =
                    Difference.between(expected, actual).or(() -> Difference.between(expectedImage, actualImage));
            if (difference.isPresent()) {
                return Optional.of(report(number, step, difference.get()));
            }
            // Not the model's own hash: it does not spell out the cycle of a deadlock that it remembers.
            if (machine.stateHash() != StateHash.of(actualImage)) {
                return Optional.of(report(number, step, "the state hash, which is not that of the state"));
            }
        }
        return Optional.empty();
    }

    static Applied play(Step step, Machine machine) {
        if (step instanceof Entry entry) {
            return machine.apply(entry.term(), entry.batch());
        }
        if (step instanceof Restore restore) {
            return machine.beginEpoch(restore.highestTokenSeen(), restore.quarantineMillis());
        }
        throw new IllegalArgumentException("unknown step: " + step);
    }

    private String report(int number, Step step, String difference) {
        String line = System.lineSeparator();
        return "seed " + seed + ", step " + number + line
                + describe(step) + line
                + "differs in " + difference + line
                + "replay: mvn -pl core test -Dtest=ModelTest -Dholdfast.seed=" + seed;
    }

    private static String describe(Step step) {
        if (!(step instanceof Entry entry)) {
            return step.toString();
        }
        Batch batch = entry.batch();
        StringBuilder text = new StringBuilder("entry of term " + entry.term() + ", clock of term "
                + batch.clockTerm() + " at " + batch.clusterTimeMillis() + ", wall " + batch.wallMillis()
                + ", renewals " + Arrays.toString(batch.renewals()));
        for (Command command : batch.commands()) {
            text.append(System.lineSeparator()).append("  ").append(command);
        }
        return text.toString();
    }
}
