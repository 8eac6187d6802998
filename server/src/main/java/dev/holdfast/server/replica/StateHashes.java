package dev.holdfast.server.replica;

import dev.holdfast.server.request.Rejected;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes the hash of the state after one agreed entry, so that nodes can be compared while they work.
 *
 * <p>The whole state is walked while the machine stands still: a tool for tests and for operators in doubt.
 */
public final class StateHashes implements ReplicaListener {
    private final LockReplica replica;
    private final List<Wanted> wanted = new ArrayList<>();

    private record Wanted(long index, CompletableFuture<Hash> hash) {}

    /** The hash of the state right after the entry at {@code index}. */
    public record Hash(long index, long value) {}

    public StateHashes(LockReplica replica) {
        this.replica = replica;
    }

    /**
     * The hash after the first entry at or above {@code index}; 0 for the state as it is now. Fails if the node is
     * past it already.
     */
    public CompletableFuture<Hash> after(long index) {
        return replica.ask(view -> {
            CompletableFuture<Hash> hash = new CompletableFuture<>();
            if (index == 0) {
                hash.complete(now());
            } else if (index <= replica.appliedIndex()) {
                hash.completeExceptionally(Rejected.invalid(
                        "at_index",
                        replica.appliedIndex(),
                        index,
                        index + " is past, this node is at " + replica.appliedIndex() + "; name a later one"));
            } else {
                wanted.add(new Wanted(index, hash));
            }
            return hash;
        });
    }

    @Override
    public void applied(AppliedEntry entry) {
        if (wanted.isEmpty()) {
            return;
        }
        for (Wanted next : List.copyOf(wanted)) {
            if (next.index() <= entry.index()) {
                wanted.remove(next);
                next.hash().complete(now());
            }
        }
    }

    private Hash now() {
        return replica.ask(view -> new Hash(replica.appliedIndex(), replica.stateHash()));
    }
}
