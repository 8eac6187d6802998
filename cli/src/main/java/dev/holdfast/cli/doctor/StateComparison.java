package dev.holdfast.cli.doctor;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.doctor.Observation.Hash;
import dev.holdfast.cli.doctor.Observation.NodeView;
import dev.holdfast.protocol.v1.LimitListRequest;
import dev.holdfast.protocol.v1.StateHashRequest;
import dev.holdfast.protocol.v1.StateHashResponse;
import dev.holdfast.protocol.v1.StatusRequest;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Takes the hash of every node's state after one and the same entry, while the cluster works.
 *
 * <p>The entry must be one that no node has applied yet, so it lies a little ahead: little enough to be reached soon
 * where nothing happens, for there this has to fill the log up to it, and further at each try where much happens.
 */
final class StateComparison {
    private static final long[] AHEAD = {3, 100, 3_000, 100_000};
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration DEEP_PATIENCE = Duration.ofMinutes(2);

    private final Connection connection;
    private final String leader;

    StateComparison(Connection connection, String leader) {
        this.connection = connection;
        this.leader = leader;
    }

    /** The hashes by node; empty if they could not be taken after the same entry. */
    Map<String, Hash> hashes(List<NodeView> views, boolean deep) {
        List<NodeView> answering =
                views.stream().filter(view -> view.status().isPresent()).toList();
        if (answering.size() < 2) {
            return Map.of();
        }
        for (long ahead : AHEAD) {
            Map<String, Hash> hashes = hashesAt(applied() + ahead, answering, deep ? DEEP_PATIENCE : PATIENCE);
            boolean sameEntry =
                    hashes.values().stream().map(Hash::index).distinct().count() == 1;
            if (hashes.size() == answering.size() && sameEntry) {
                return hashes;
            }
        }
        return Map.of();
    }

    private long applied() {
        try (Nodes nodes = connection.nodes()) {
            return nodes.admin(leader, PATIENCE, admin -> admin.status(StatusRequest.getDefaultInstance()))
                    .getAppliedIndex();
        } catch (StatusRuntimeException e) {
            return 0;
        }
    }

    private Map<String, Hash> hashesAt(long index, List<NodeView> views, Duration patience) {
        Map<String, CompletableFuture<Optional<Hash>>> asked = new HashMap<>();
        for (NodeView view : views) {
            Nodes nodes = connection.nodes(); // one each, for they are used at the same time
            asked.put(
                    view.name(),
                    CompletableFuture.supplyAsync(
                            () -> hashAt(index, nodes, view.address(), patience),
                            task -> new Thread(task, "holdfast-doctor-hash").start()));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new));
        fillTheLog(all);
        Map<String, Hash> hashes = new HashMap<>();
        asked.forEach((name, hash) -> hash.join().ifPresent(found -> hashes.put(name, found)));
        return hashes;
    }

    private static Optional<Hash> hashAt(long index, Nodes asked, String address, Duration patience) {
        StateHashRequest request =
                StateHashRequest.newBuilder().setAtIndex(index).build();
        try (Nodes nodes = asked) {
            StateHashResponse response = nodes.admin(address, patience, admin -> admin.stateHash(request));
            return Optional.of(new Hash(response.getIndex(), response.getHash()));
        } catch (StatusRuntimeException e) {
            return Optional.empty();
        }
    }

    /** A linearizable question is an entry; questions are asked until all have their answer. */
    private void fillTheLog(CompletableFuture<Void> until) {
        try (Nodes nodes = connection.nodes()) {
            while (!until.isDone()) {
                var unused =
                        nodes.admin(leader, PATIENCE, admin -> admin.limitList(LimitListRequest.getDefaultInstance()));
            }
        } catch (StatusRuntimeException e) {
            // The leader is gone: the hashes that are not there by now will say so.
        }
    }
}
