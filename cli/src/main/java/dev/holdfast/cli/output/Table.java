package dev.holdfast.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rows in aligned columns under a heading; columns of numbers are aligned to the right. */
public final class Table {
    private static final String GAP = "  ";
    private static final String ABSENT = "-";
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+([.,][0-9]+)?");

    private final List<String> heading;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... heading) {
        this.heading = List.of(heading);
    }

    /** Adds a row; an empty cell is shown as a dash, so that columns stay columns for scripts, too. */
    public Table row(Object... cells) {
        if (cells.length != heading.size()) {
            throw new IllegalArgumentException("a row of " + cells.length + " under " + heading);
        }
        rows.add(Stream.of(cells)
                .map(cell -> Printable.of(String.valueOf(cell)))
                .map(cell -> cell.isEmpty() ? ABSENT : cell)
                .toList());
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    public void print(PrintWriter out, Ink ink) {
        int columns = heading.size();
        int[] widths = new int[columns];
        boolean[] numeric = new boolean[columns];
        for (int i = 0; i < columns; i++) {
            int column = i;
            widths[i] = Stream.concat(Stream.of(heading), rows.stream())
                    .mapToInt(row -> width(row.get(column)))
                    .max()
                    .orElse(0);
            numeric[i] = isNumeric(column);
        }
        out.println(ink.heading(line(heading, widths, numeric)));
        rows.forEach(row -> out.println(line(row, widths, numeric)));
    }

    private boolean isNumeric(int column) {
        List<String> cells = rows.stream()
                .map(row -> row.get(column))
                .filter(cell -> !cell.equals(ABSENT))
                .toList();
        return !cells.isEmpty()
                && cells.stream().allMatch(cell -> NUMBER.matcher(cell).matches());
    }

    private static String line(List<String> cells, int[] widths, boolean[] numeric) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            String padding = " ".repeat(widths[i] - width(cell));
            line.append(i == 0 ? "" : GAP).append(numeric[i] ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
