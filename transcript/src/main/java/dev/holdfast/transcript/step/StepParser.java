package dev.holdfast.transcript.step;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a line of a transcript. */
public final class StepParser {
    /** With more of its words wrong than this share, a line is nothing misspelt, and a guess would mislead. */
    private static final double WORDS_WRONG_FOR_A_GUESS = 0.7;

    /** The stamp of an entry, alone or with what the entry carries. */
    private static final Pattern AFTER = Pattern.compile("after +(" + Slot.DURATION.pattern() + ")(?: *, *(.+))?");

    private static final Form AFTER_FORM = new Form(
            "after DURATION", "after 2s", Set.of(), (match, clauses) -> new Step.Entry(match.duration(0), List.of()));

    private static final List<Form> FORMS = Stream.of(
                    LeaseForms.ALL, LockForms.ALL, List.of(AFTER_FORM), ClusterForms.ALL, LookingForms.ALL)
            .flatMap(List::stream)
            .toList();

    private StepParser() {}

    /** What a line says. */
    public static Step parse(String line) {
        Matcher after = AFTER.matcher(line);
        if (!after.matches()) {
            Object meaning = meaningOf(line);
            return meaning instanceof Act act ? new Step.Entry(0, List.of(act)) : (Step) meaning;
        }
        long millis = duration(after.group(1));
        @Nullable String rest = after.group(2);
        return new Step.Entry(millis, rest == null ? List.of() : List.of(parseAct(rest)));
    }

    /** What a line within an entry says. */
    public static Act parseAct(String line) {
        if (meaningOf(line) instanceof Act act) {
            return act;
        }
        throw new TranscriptException("\"" + line + "\" cannot be part of an entry; only what is done to leases,"
                + " locks and limits can, such as \"alice renews her lease\"");
    }

    /** Milliseconds of a duration such as {@code 10s}. */
    static long duration(String text) {
        return new Match(List.of(text)).duration(0);
    }

    /** Every form with its clauses, and a line of that form. */
    public static List<Help> help() {
        return FORMS.stream()
                .map(form -> new Help(
                        form.template().text(),
                        form.clauses().stream()
                                .map(clause -> clause.template().text())
                                .toList(),
                        form.example()))
                .toList();
    }

    /**
     * How a kind of line is written.
     *
     * @param clauses what may follow after a comma, in any order
     */
    public record Help(String form, List<String> clauses, String example) {
        public Help {
            clauses = List.copyOf(clauses);
        }
    }

    private static Object meaningOf(String line) {
        List<String> parts = splitAtCommas(line);
        String main = parts.get(0);
        for (Form form : FORMS) {
            @Nullable Match match = form.template().match(main).orElse(null);
            if (match != null) {
                Clauses clauses = Clauses.parse(
                        parts.subList(1, parts.size()),
                        form.clauses(),
                        form.template().text());
                return form.meaning().of(match, clauses);
            }
        }
        Form nearest = FORMS.stream()
                .min(Comparator.comparingDouble(form -> form.template().distanceTo(main)))
                .orElseThrow();
        int words = main.trim().split(" +", -1).length;
        if (nearest.template().distanceTo(main) > WORDS_WRONG_FOR_A_GUESS * words) {
            throw new TranscriptException("\"" + main + "\" is not understood; say something like \""
                    + FORMS.get(0).example() + "\" or \"show orders/42\"");
        }
        throw new TranscriptException("\"" + main + "\" is not understood; did you mean \""
                + nearest.template().text() + "\", as in \"" + nearest.example() + "\"?");
    }

    /** Commas within quotes do not count. */
    private static List<String> splitAtCommas(String line) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '"') {
                quoted = !quoted;
            } else if (line.charAt(i) == ',' && !quoted) {
                parts.add(line.substring(from, i).trim());
                from = i + 1;
            }
        }
        parts.add(line.substring(from).trim());
        return parts;
    }
}
