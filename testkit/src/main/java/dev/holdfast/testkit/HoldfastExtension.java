package dev.holdfast.testkit;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives each test method with a {@link TestCluster} parameter its own cluster, which ends with the test.
 *
 * <pre>{@code
 * @ExtendWith(HoldfastExtension.class)
 * class StockTest {
 *     @Test
 *     void paused_worker_never_writes_stale(TestCluster cluster) { ... }
 * }
 * }</pre>
 *
 * <p>The cluster has three nodes unless the extension is registered with another number: {@code @RegisterExtension
 * static final HoldfastExtension HOLDFAST = HoldfastExtension.ofNodes(5)}. Each test gets a random seed unless one is
 * given here or as {@code -Dholdfast.seed=N}; a test that fails shows it.
 */
public final class HoldfastExtension implements ParameterResolver, TestExecutionExceptionHandler, AfterEachCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(HoldfastExtension.class);
    private static final String SEED = "holdfast.seed";
    private static final int DEFAULT_NODES = 3;

    private final int nodes;
    private final @Nullable Long seed;

    /** Creates an extension with clusters of three nodes. */
    public HoldfastExtension() {
        this(DEFAULT_NODES, Long.getLong(SEED));
    }

    private HoldfastExtension(int nodes, @Nullable Long seed) {
        this.nodes = nodes;
        this.seed = seed;
    }

    public static HoldfastExtension ofNodes(int nodes) {
        return new HoldfastExtension(nodes, Long.getLong(SEED));
    }

    /** Returns the same extension with a fixed seed. */
    public HoldfastExtension seed(long always) {
        return new HoldfastExtension(nodes, always);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == TestCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        if (test.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException("a TestCluster belongs to one test: ask for it as a parameter of the"
                    + " test method, of @BeforeEach or of @AfterEach");
        }
        return cluster(test).orElseGet(() -> {
            Long given = seed;
            TestCluster started = TestCluster.start(
                    nodes, given == null ? ThreadLocalRandom.current().nextLong(Long.MAX_VALUE) : given);
            test.getStore(SPACE).put(TestCluster.class, started);
            return started;
        });
    }

    private static Optional<TestCluster> cluster(ExtensionContext test) {
        return Optional.ofNullable(test.getStore(SPACE).get(TestCluster.class, TestCluster.class));
    }

    /** Shows the state of the cluster when the test failed, and how to repeat the run. */
    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        cluster(test).ifPresent(cluster -> failure.addSuppressed(new ClusterState(cluster)));
        throw failure;
    }

    private static final class ClusterState extends RuntimeException {
        ClusterState(TestCluster cluster) {
            super(
                    "the cluster then: " + cluster.describe() + "; -D" + SEED + "=" + cluster.seed() + " repeats it as "
                            + "far as possible",
                    null,
                    false,
                    false);
        }
    }

    @Override
    public void afterEach(ExtensionContext test) {
        TestCluster cluster = test.getStore(SPACE).remove(TestCluster.class, TestCluster.class);
        if (cluster != null) {
            cluster.close();
        }
    }
}
