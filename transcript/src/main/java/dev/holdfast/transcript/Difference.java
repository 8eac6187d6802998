package dev.holdfast.transcript;

import java.util.ArrayList;
import java.util.List;

/**
 * Where something else came out than a transcript says.
 *
 * @param line the number of the line that was played, from 1
 * @param doing what was done there
 */
public record Difference(int line, String doing, List<String> expected, List<String> actual) {
    public Difference {
        expected = List.copyOf(expected);
        actual = List.copyOf(actual);
    }

    /** For people: lines that are missing marked with {@code -}, those that came instead with {@code +}. */
    public String describe() {
        StringBuilder text = new StringBuilder("line " + line + ":\n");
        doing.lines().forEach(done -> text.append(done).append('\n'));
        changes().forEach(change -> text.append(change).append('\n'));
        return text.toString();
    }

    /** Keeps the longest run of lines that both have in common. */
    private List<String> changes() {
        int[][] common = new int[expected.size() + 1][actual.size() + 1];
        for (int i = expected.size() - 1; i >= 0; i--) {
            for (int j = actual.size() - 1; j >= 0; j--) {
                common[i][j] = expected.get(i).equals(actual.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        List<String> changes = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < expected.size() || j < actual.size()) {
            if (i < expected.size() && j < actual.size() && expected.get(i).equals(actual.get(j))) {
                changes.add("    " + expected.get(i++));
                j++;
            } else if (i < expected.size() && (j == actual.size() || common[i + 1][j] >= common[i][j + 1])) {
                changes.add("  - " + expected.get(i++));
            } else {
                changes.add("  + " + actual.get(j++));
            }
        }
        return changes;
    }
}
