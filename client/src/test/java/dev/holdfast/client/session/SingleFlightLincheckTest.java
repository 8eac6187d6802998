package dev.holdfast.client.session;

import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The executor makes what runs on it atomic: so a session's first lease is made once, whoever comes first. */
@Tag("slow")
public class SingleFlightLincheckTest {
    private final SerialExecutor executor = new SerialExecutor(() -> {}, task -> false);
    private int made;
    private int present;

    @Operation
    public int lease() {
        CompletableFuture<Integer> reply = new CompletableFuture<>();
        executor.run(() -> {
            if (present == 0) {
                present = ++made;
            }
            reply.complete(present);
        });
        return reply.join();
    }

    @Operation
    public boolean end() {
        CompletableFuture<Boolean> reply = new CompletableFuture<>();
        executor.run(() -> {
            reply.complete(present != 0);
            present = 0;
        });
        return reply.join();
    }

    @Test
    void a_lease_is_made_once_however_many_ask_for_it() {
        new StressOptions().iterations(20).invocationsPerIteration(500).check(getClass());
    }
}
