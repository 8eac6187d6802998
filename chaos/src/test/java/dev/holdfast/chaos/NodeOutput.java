package dev.holdfast.chaos;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Shows what the nodes wrote when a test fails: where tests run for others, their directories are gone soon after.
 *
 * <p>Registered for all tests of this module. Each test makes its clusters in its own thread.
 */
public final class NodeOutput implements BeforeTestExecutionCallback, AfterTestExecutionCallback {
    private static final ThreadLocal<List<Cluster>> MADE = ThreadLocal.withInitial(ArrayList::new);

    static void remember(Cluster cluster) {
        MADE.get().add(cluster);
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        MADE.get().clear();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) throws Exception {
        if (context.getExecutionException().isEmpty()) {
            return;
        }
        for (Cluster cluster : MADE.get()) {
            System.out.println(context.getDisplayName() + " failed; its nodes wrote at the end:");
            System.out.println(cluster.outputs());
        }
    }
}
