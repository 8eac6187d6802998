package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.Outcome;
import java.util.concurrent.CompletableFuture;

/** An entry on its way, and where to tell what became of it. */
final class Proposal {
    private final byte[] entry;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    Proposal(byte[] entry) {
        this.entry = entry;
    }

    byte[] entry() {
        return entry;
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }
}
