package dev.holdfast.contract;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.embedded.Holdfast;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Locks of a node in this process, without a port. */
class EmbeddedContractTest extends LockContract {
    @TempDir
    static Path root;

    private static Holdfast holdfast;
    private static Operator operator;

    @BeforeAll
    static void start() throws Exception {
        holdfast = Holdfast.embedded(root);
        operator = new Operator(holdfast.channel());
    }

    @AfterAll
    static void stop() {
        operator.close();
        holdfast.close();
    }

    @Override
    protected Reach reach() {
        return new Reach() {
            @Override
            public HoldfastClient client(Duration ttl) {
                return holdfast.clientBuilder().sessionTtl(ttl).build();
            }

            @Override
            public Operator operator() {
                return operator;
            }
        };
    }
}
