package dev.holdfast.transcript.step;

import java.util.Set;

/** One kind of line: its main part, the clauses that may follow, and what it means. */
final class Form {
    private final Template template;
    private final String example;
    private final Set<Clause> clauses;
    private final Meaning meaning;

    /** Turns what was said into what is to be done: a {@link Step}, or an {@link Act} of an entry. */
    interface Meaning {
        Object of(Match match, Clauses clauses);
    }

    Form(String template, String example, Set<Clause> clauses, Meaning meaning) {
        this.template = new Template(template);
        this.example = example;
        this.clauses = clauses;
        this.meaning = meaning;
    }

    Template template() {
        return template;
    }

    /** A line of this form. */
    String example() {
        return example;
    }

    Set<Clause> clauses() {
        return clauses;
    }

    Meaning meaning() {
        return meaning;
    }
}
