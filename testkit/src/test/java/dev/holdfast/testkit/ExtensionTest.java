package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The extension, as it shows in tests that it is registered with. */
@Timeout(60)
class ExtensionTest {
    private static final List<TestCluster> GIVEN = new ArrayList<>();

    static TestExecutionSummary run(Class<?> tests) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .build(),
                        listener);
        return listener.getSummary();
    }

    @Test
    void each_test_has_one_cluster_of_its_own_and_a_failure_shows_its_seed() {
        GIVEN.clear();
        TestExecutionSummary summary = run(Cases.class);
        assertThat(GIVEN).as("two tests, each with a @BeforeEach").hasSize(4);
        assertThat(GIVEN.get(0)).isSameAs(GIVEN.get(1)).isNotSameAs(GIVEN.get(2));
        assertThat(GIVEN.get(2)).isSameAs(GIVEN.get(3));
        assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
        assertThat(summary.getFailures()).singleElement().satisfies(failure -> {
            assertThat(failure.getException()).hasMessage("planted");
            assertThat(failure.getException().getSuppressed())
                    .singleElement()
                    .asString()
                    .contains("seed 11", "n5 is dead", "-Dholdfast.seed=11");
        });
    }

    static final class Cases {
        @RegisterExtension
        static final HoldfastExtension HOLDFAST = HoldfastExtension.ofNodes(5).seed(11);

        @BeforeEach
        void before(TestCluster cluster) {
            GIVEN.add(cluster);
        }

        @Test
        void passes(TestCluster cluster) {
            GIVEN.add(cluster);
            assertThat(cluster.nodes()).hasSize(5);
        }

        @Test
        void fails(TestCluster cluster) {
            GIVEN.add(cluster);
            cluster.kill("n5");
            throw new IllegalStateException("planted");
        }
    }

    @Test
    void cluster_for_a_whole_class_is_refused() {
        assertThat(run(Greedy.class).getFailures())
                .singleElement()
                .satisfies(failure ->
                        assertThat(failure.getException()).hasMessageContaining("a TestCluster belongs to one test"));
    }

    static final class Greedy {
        @RegisterExtension
        static final HoldfastExtension HOLDFAST = new HoldfastExtension();

        Greedy(TestCluster cluster) {
            GIVEN.add(cluster);
        }

        @Test
        void never_runs() {}
    }
}
