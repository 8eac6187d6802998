package dev.holdfast.transcript;

import dev.holdfast.transcript.step.Step;
import dev.holdfast.transcript.step.StepParser;
import dev.holdfast.transcript.step.StepReader;
import dev.holdfast.transcript.step.TranscriptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A text that says what is done and what comes out.
 *
 * <p>Lines that begin with {@code #} and blank lines are prose. Lines that are not indented say what somebody
 * does; lines indented by four spaces say what comes out of it.
 */
public final class Transcript {
    static final String INDENT = "    ";

    private final List<Part> parts;

    private Transcript(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** A piece of a transcript, as it stands in the text. */
    sealed interface Part {
        /** Hands this to the one who takes its kind. */
        void match(Consumer<Prose> prose, Consumer<Scene> scene);
    }

    record Prose(String text) implements Part {
        @Override
        public void match(Consumer<Prose> prose, Consumer<Scene> scene) {
            prose.accept(this);
        }
    }

    /**
     * Something done.
     *
     * @param line the number of its first line, from 1
     * @param source its lines
     * @param expected what comes out, without the indent
     */
    record Scene(int line, List<String> source, Step step, List<String> expected) implements Part {
        Scene {
            source = List.copyOf(source);
            expected = List.copyOf(expected);
        }

        @Override
        public void match(Consumer<Prose> prose, Consumer<Scene> scene) {
            scene.accept(this);
        }
    }

    List<Part> parts() {
        return parts;
    }

    /** Reads a transcript; what it cannot read it names with its line. */
    public static Transcript parse(String text) {
        return new Parser().parse(text.lines().toList());
    }

    private static final class Parser {
        private final List<Part> parts = new ArrayList<>();
        private final StepReader reader = new StepReader();
        private final List<String> source = new ArrayList<>();
        private final List<String> expected = new ArrayList<>();
        private int sceneLine;
        private Optional<Step> step = Optional.empty();

        Transcript parse(List<String> lines) {
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).stripTrailing();
                try {
                    read(line, i + 1);
                } catch (TranscriptException e) {
                    throw e.atLine(i + 1);
                }
            }
            try {
                endScene();
            } catch (TranscriptException e) {
                throw e.atLine(lines.size());
            }
            return new Transcript(parts);
        }

        private void read(String line, int number) {
            if (line.startsWith(INDENT)) {
                expect(line.substring(INDENT.length()));
            } else if (line.isEmpty() || line.startsWith("#")) {
                endScene();
                parts.add(new Prose(line));
            } else if (Character.isWhitespace(line.charAt(0))) {
                throw new TranscriptException(
                        "what comes out is indented by four spaces, what is done is not indented");
            } else {
                doing(line, number);
            }
        }

        private void expect(String line) {
            endBlock();
            if (step.isEmpty()) {
                throw new TranscriptException(
                        "\"" + line + "\" is indented, but nothing was done that it comes out of");
            }
            expected.add(line);
        }

        private void doing(String line, int number) {
            boolean further = !source.isEmpty() && step.isEmpty() && line.startsWith("- ");
            if (!further) {
                endScene();
                sceneLine = number;
            }
            source.add(line);
            if (!reader.takes(line)) {
                step = Optional.of(StepParser.parse(line));
            }
        }

        private void endBlock() {
            reader.end().ifPresent(block -> step = Optional.of(block));
        }

        private void endScene() {
            endBlock();
            step.ifPresent(done -> parts.add(new Scene(sceneLine, source, done, expected)));
            step = Optional.empty();
            source.clear();
            expected.clear();
        }
    }
}
