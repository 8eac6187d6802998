package dev.holdfast.transcript;

import dev.holdfast.transcript.player.Player;
import dev.holdfast.transcript.step.TranscriptException;
import java.util.ArrayList;
import java.util.List;

/**
 * A transcript that was played.
 *
 * @param text the transcript with what really came out
 * @param differences where that is not what the transcript says
 */
public record TranscriptRun(String text, List<Difference> differences) {
    /** A transcript plays on three, so that every one also shows that replicas agree. */
    private static final int REPLICAS = 3;

    public TranscriptRun {
        differences = List.copyOf(differences);
    }

    public boolean isAsExpected() {
        return differences.isEmpty();
    }

    /** Plays a transcript from an empty machine. */
    public static TranscriptRun of(Transcript transcript) {
        Player player = new Player(REPLICAS);
        StringBuilder text = new StringBuilder();
        List<Difference> differences = new ArrayList<>();
        for (Transcript.Part part : transcript.parts()) {
            part.match(prose -> text.append(prose.text()).append('\n'), scene -> {
                List<String> actual = play(player, scene);
                scene.source().forEach(line -> text.append(line).append('\n'));
                actual.forEach(
                        line -> text.append(Transcript.INDENT).append(line).append('\n'));
                if (!actual.equals(scene.expected())) {
                    differences.add(
                            new Difference(scene.line(), String.join("\n", scene.source()), scene.expected(), actual));
                }
            });
        }
        return new TranscriptRun(text.toString(), differences);
    }

    private static List<String> play(Player player, Transcript.Scene scene) {
        try {
            return player.play(scene.step());
        } catch (TranscriptException e) {
            throw e.atLine(scene.line());
        } catch (IllegalStateException e) {
            throw new IllegalStateException("line " + scene.line() + ": " + e.getMessage(), e);
        }
    }
}
