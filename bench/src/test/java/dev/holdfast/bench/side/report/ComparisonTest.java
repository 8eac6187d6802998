package dev.holdfast.bench.side.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

@Timeout(20)
class ComparisonTest {
    @Test
    void table_compares_medians_with_those_of_the_first_system() {
        assertThat(comparison().markdown().lines())
                .containsExactly(
                        "| B. pairs |" + " pairs, pairs/s | beside Ours & <theirs> | CPU, s |",
                        "|---|---|---|---|",
                        "| Ours & <theirs> | 2,000 (1,000–3,000) | 1.00 × | 0.100 (0.050–0.200) |",
                        "| Other | 500 (400–600) | 0.25 × | 1.00 (1.00–1.00) |",
                        "| Failed | – | – | – |");
    }

    @Test
    void values_keep_every_repetition() {
        assertThat(comparison().csv())
                .hasSize(5)
                .contains("\"B. pairs\",\"Other\",\"pairs\",\"pairs/s\",500.0,400.0,600.0,400.0 500.0 600.0");
    }

    @Test
    void plot_is_well_formed_and_as_long_as_the_figures() throws Exception {
        Document svg = parsed(comparison().chart().svg());
        List<Element> bars = elements(svg, "rect").stream()
                .filter(rect -> rect.getAttribute("fill").startsWith("#c2")
                        || rect.getAttribute("fill").startsWith("#4a"))
                .toList();
        assertThat(bars).hasSize(2);
        double ours = Double.parseDouble(bars.get(0).getAttribute("width"));
        double other = Double.parseDouble(bars.get(1).getAttribute("width"));
        assertThat(ours / other).isBetween(3.9, 4.1);
        assertThat(svg.getDocumentElement().getTextContent()).contains("Ours & <theirs>", "B. pairs", "pairs/s");
    }

    @Test
    void plot_of_failures_alone_is_well_formed() throws Exception {
        Comparison failed = new Comparison("B", List.of("pairs"), List.of(new Comparison.Row("Ours", new Findings())));
        assertThat(elements(parsed(failed.chart().svg()), "text")).isNotEmpty();
    }

    @Test
    void ticks_are_round() {
        assertThat(BarChart.niceStep(0.031)).isEqualTo(0.05);
        assertThat(BarChart.niceStep(4_000)).isEqualTo(5_000);
        assertThat(BarChart.niceStep(2_000)).isEqualTo(2_000);
        assertThat(BarChart.niceStep(7_000)).isEqualTo(10_000);
    }

    @Test
    void findings_come_out_of_their_file_as_they_went_in(@TempDir Path directory) throws Exception {
        Findings written = comparison().rows().get(0).findings();
        written.versions("3 nodes, version 1.2");
        written.write(directory.resolve("results"));
        Findings read = Findings.read(directory.resolve("results"));
        assertThat(read.metrics()).isEqualTo(written.metrics());
        assertThat(read.versions()).isEqualTo("3 nodes, version 1.2");
    }

    private static Comparison comparison() {
        Findings ours = new Findings();
        Findings other = new Findings();
        for (int i = 1; i <= 3; i++) {
            ours.add("pairs", "pairs/s", i * 1_000);
            ours.add("CPU", "s", 0.05 * Math.pow(2, i - 1));
            other.add("pairs", "pairs/s", 300 + i * 100);
            other.add("CPU", "s", 1);
        }
        return new Comparison(
                "B. pairs",
                List.of("pairs"),
                List.of(
                        new Comparison.Row("Ours & <theirs>", ours),
                        new Comparison.Row("Other", other),
                        new Comparison.Row("Failed", new Findings())));
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    }

    private static List<Element> elements(Document document, String name) {
        var nodes = document.getElementsByTagName(name);
        return java.util.stream.IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }
}
