package dev.holdfast.transcript.step;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The clauses of one line. */
final class Clauses {
    private final Map<Clause, Match> said = new EnumMap<>(Clause.class);

    private Clauses() {}

    static Clauses parse(List<String> texts, Set<Clause> allowed, String form) {
        Clauses clauses = new Clauses();
        for (String text : texts) {
            clauses.add(text, allowed, form);
        }
        return clauses;
    }

    boolean has(Clause clause) {
        return said.containsKey(clause);
    }

    OptionalLong number(Clause clause) {
        return value(clause, match -> match.number(0));
    }

    OptionalLong token(Clause clause) {
        return value(clause, match -> match.token(0));
    }

    long duration(Clause clause, long otherwise) {
        return value(clause, match -> match.duration(0)).orElse(otherwise);
    }

    Optional<String> text(Clause clause) {
        return Optional.ofNullable(said.get(clause)).map(match -> match.text(0));
    }

    private OptionalLong value(Clause clause, ToLongFunction<Match> reading) {
        Match match = said.get(clause);
        return match == null ? OptionalLong.empty() : OptionalLong.of(reading.applyAsLong(match));
    }

    private void add(String text, Set<Clause> allowed, String form) {
        for (Clause clause : allowed) {
            @Nullable Match match = clause.template().match(text).orElse(null);
            if (match != null) {
                if (said.put(clause, match) != null) {
                    throw new TranscriptException("\"" + clause.template().text() + "\" is said twice");
                }
                return;
            }
        }
        throw new TranscriptException(unknown(text, allowed, form));
    }

    private static String unknown(String text, Set<Clause> allowed, String form) {
        if (allowed.isEmpty()) {
            return "nothing may follow \"" + form + "\", but \"" + text + "\" does";
        }
        String nearest = allowed.stream()
                .map(Clause::template)
                .min(Comparator.comparingDouble(template -> template.distanceTo(text)))
                .map(Template::text)
                .orElse("");
        String all = allowed.stream()
                .map(clause -> "\"" + clause.template().text() + "\"")
                .collect(Collectors.joining(", "));
        return "\"" + text + "\" cannot follow \"" + form + "\"; did you mean \"" + nearest + "\"? Possible are " + all;
    }
}
