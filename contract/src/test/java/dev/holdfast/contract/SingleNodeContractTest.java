package dev.holdfast.contract;

import dev.holdfast.client.HoldfastClient;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Locks of one node, over its port. */
class SingleNodeContractTest extends LockContract {
    @TempDir
    static Path root;

    private static LocalCluster cluster;
    private static Operator operator;

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.start(root, 1);
        operator = new Operator(cluster.addresses().get(0));
    }

    @AfterAll
    static void stop() {
        operator.close();
        cluster.close();
    }

    @Override
    protected Reach reach() {
        return new Reach() {
            @Override
            public HoldfastClient client(Duration ttl) {
                return HoldfastClient.builder(cluster.endpoints())
                        .sessionTtl(ttl)
                        .build();
            }

            @Override
            public Operator operator() {
                return operator;
            }
        };
    }
}
