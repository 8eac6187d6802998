package dev.holdfast.bench.side.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.bench.side.Plan;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.Variant;
import dev.holdfast.bench.side.holdfast.HoldfastSystem;
import dev.holdfast.bench.side.report.Findings;
import dev.holdfast.bench.side.report.Metric;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One workload for a moment on real servers: that it finds figures, and leaves no process behind. */
@Tag("slow")
@Timeout(120)
class SmokeTest {
    @Test
    void workload_finds_figures_and_ends_its_servers(@TempDir Path directory) throws Exception {
        Site site = new Site(
                directory,
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"),
                new Variant("", Duration.ofSeconds(10)));
        Plan plan = new Plan(Duration.ofMillis(200), Duration.ofSeconds(1), 2);
        Findings findings = new Findings();
        Findings latencies = new Findings();
        Steady.playAll(
                List.of(new OwnKeys(4), new Latency()), new HoldfastSystem(), site, plan, List.of(findings, latencies));
        assertThat(findings.metric(OwnKeys.PAIRS).orElseThrow().values())
                .hasSize(2)
                .allMatch(pairs -> pairs > 0);
        assertThat(findings.metric(OwnKeys.CPU).map(Metric::median))
                .hasValueSatisfying(cpu -> assertThat(cpu).isPositive());
        assertThat(latencies.metric(Latency.LOCK).orElseThrow().values()).hasSize(2);
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}
