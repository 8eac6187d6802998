package dev.holdfast.server.peer;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.consensus.SnapshotSource;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.FetchSnapshotChunk;
import dev.holdfast.protocol.v1.FetchSnapshotRequest;
import dev.holdfast.server.peer.client.PeerClients;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;

/** Brings another node's snapshot here, over its client port. */
public final class SnapshotFetch implements SnapshotSource {
    /** For a snapshot of tens of gigabytes on a slow network. */
    private static final Duration LONGEST = Duration.ofHours(6);

    private final PeerClients clients;
    private final String cluster;

    public SnapshotFetch(PeerClients clients, String cluster) {
        this.clients = clients;
        this.cluster = cluster;
    }

    @Override
    public Optional<SnapshotFile> fetch(Member from, long lowestIndex, Path into) throws IOException {
        FetchSnapshotRequest request = FetchSnapshotRequest.newBuilder()
                .setCluster(cluster)
                .setLowestIndex(lowestIndex)
                .build();
        try {
            Iterator<FetchSnapshotChunk> chunks =
                    clients.blocking(from.clientAddress(), LONGEST).fetchSnapshot(request);
            return Optional.of(write(chunks, into));
        } catch (StatusRuntimeException e) {
            boolean none =
                    Errors.of(e).map(error -> error.getCode() == Code.NOT_FOUND).orElse(false);
            if (none || e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return Optional.empty();
            }
            throw new IOException("cannot fetch the snapshot of " + from.id() + ": " + e.getMessage(), e);
        }
    }

    private static SnapshotFile write(Iterator<FetchSnapshotChunk> chunks, Path into) throws IOException {
        FetchSnapshotChunk first = chunks.next();
        long written = 0;
        try (FileChannel out = FileChannel.open(
                into, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (chunks.hasNext()) {
                ByteBuffer data = chunks.next().getData().asReadOnlyByteBuffer();
                while (data.hasRemaining()) {
                    written += out.write(data);
                }
            }
            out.force(true);
        }
        if (written != first.getSize()) {
            throw new IOException("a snapshot of " + first.getSize() + " bytes ended after " + written);
        }
        return new SnapshotFile(first.getTerm(), first.getIndex(), into);
    }
}
