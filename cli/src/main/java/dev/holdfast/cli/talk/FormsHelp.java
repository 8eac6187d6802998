package dev.holdfast.cli.talk;

import dev.holdfast.transcript.step.StepParser;
import java.util.ArrayList;
import java.util.List;

/** All that can be said in a transcript, for people to look up. */
final class FormsHelp {
    private static final int WIDTH = 100;
    private static final String INDENT = "        ";

    private static final List<String> LEGEND = List.of(
            "",
            "DURATION is a number with ms, s, m, h or d. KEY is one word, or anything in double quotes, as TEXT is.",
            "ITEMS are one or more of these, joined by \"and\": KEY, shared KEY, the tree KEY, the shared tree KEY,",
            "2 of 4 permits of KEY. HER is her, his, its or their. TOKEN is a number, after a restore epoch:revision.",
            "\"after 2s, alice locks a\" puts a line into the entry that moves the clock. \"in one entry:\" and then",
            "lines that begin with \"- \" put several into one; a blank line ends them.");

    private FormsHelp() {}

    static List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (StepParser.Help help : StepParser.help()) {
            lines.add(help.form());
            lines.addAll(wrapped(help.clauses()));
        }
        lines.addAll(LEGEND);
        return lines;
    }

    private static List<String> wrapped(List<String> clauses) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String clause : clauses) {
            String more = "[, " + clause + "] ";
            if (line.length() + more.length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? INDENT : "").append(more);
        }
        if (!line.isEmpty()) {
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
