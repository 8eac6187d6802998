package dev.holdfast.chaos;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Shows what the nodes wrote when a test fails: where tests run for others, their directories are gone soon after.
 *
 * <p>Registered for all tests of this module, which run one after the other.
 */
public final class NodeOutput implements BeforeTestExecutionCallback, AfterTestExecutionCallback {
    private static final Queue<Cluster> MADE = new ConcurrentLinkedQueue<>();

    static void remember(Cluster cluster) {
        MADE.add(cluster);
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        MADE.clear();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) throws Exception {
        if (context.getExecutionException().isEmpty()) {
            return;
        }
        for (Cluster cluster : List.copyOf(MADE)) {
            System.out.println(context.getDisplayName() + " failed; its nodes wrote at the end:");
            System.out.println(cluster.outputs());
        }
    }
}
