package dev.holdfast.transcript;

import dev.holdfast.transcript.player.Player;
import dev.holdfast.transcript.step.Step;
import dev.holdfast.transcript.step.StepParser;
import dev.holdfast.transcript.step.StepReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays lines as they come, while real time passes.
 *
 * <p>The caller says how much time has passed since the session began; that, and whatever {@code after}
 * skipped, is the cluster clock. Not thread-safe.
 */
public final class LiveSession {
    private final Player player = new Player(1);
    private final StepReader reader = new StepReader();

    /** How far the cluster clock is ahead of the time that has really passed. */
    private long skippedMillis;

    /** Plays a line; a line of a block that goes on gives nothing yet. */
    public List<String> play(String line, long elapsedMillis) {
        List<String> lines = new ArrayList<>();
        if (reader.takes(line)) {
            return lines;
        }
        Optional<Step> block = reader.end();
        block.ifPresent(step -> lines.addAll(play(step, elapsedMillis)));
        if (!line.isBlank() && !line.startsWith("#")) {
            Step step = StepParser.parse(line.strip());
            if (!(step instanceof Step.Entry)) {
                // A question is asked at this very time, not at that of the last entry.
                lines.addAll(advance(elapsedMillis));
            }
            lines.addAll(play(step, elapsedMillis));
        }
        return lines;
    }

    /** What has happened by itself up to now. */
    public List<String> advance(long elapsedMillis) {
        return play(new Step.Entry(0, List.of()), elapsedMillis);
    }

    /** When something may happen by itself next, as time elapsed; {@code Long.MAX_VALUE} for never. */
    public long nextDeadlineMillis() {
        long deadline = player.nextDeadlineMillis();
        return deadline == Long.MAX_VALUE ? deadline : deadline - skippedMillis;
    }

    private List<String> play(Step step, long elapsedMillis) {
        player.moveClockTo(elapsedMillis + skippedMillis);
        List<String> lines = player.play(step);
        skippedMillis = player.clockMillis() - elapsedMillis;
        return lines;
    }
}
