package dev.holdfast.client.session;

import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Turns make what is done in them atomic: so a session's first lease is made once, whoever comes first. */
public class SingleFlightLincheckTest {
    private final Turns turns = new Turns(() -> {}, task -> false);
    private int made;
    private int present;

    @Operation
    public int lease() {
        CompletableFuture<Integer> reply = new CompletableFuture<>();
        turns.run(() -> {
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
        turns.run(() -> {
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
