package dev.holdfast.server;

import dev.holdfast.consensus.DirectoryLock;
import dev.holdfast.consensus.disk.DiskLogReader;
import dev.holdfast.consensus.ratis.RatisLogReader;
import dev.holdfast.consensus.stored.StoredEntry;
import dev.holdfast.consensus.stored.StoredLog;
import dev.holdfast.server.cluster.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A stopped node as its data directory shows it, read and not changed.
 *
 * @param log empty for a node that never belonged to a cluster
 */
public record StoppedNode(Path directory, DataDirectory.Identity identity, Optional<StoredLog> log) {

    /**
     * Reads a directory, reporting each entry of its log in order.
     *
     * @throws IllegalArgumentException if it is not a data directory, or a node is using it
     */
    public static StoppedNode read(Path directory, Consumer<StoredEntry> entries) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException(directory + " is not a directory: name a node's data.dir");
        }
        DataDirectory.Identity identity = DataDirectory.identity(directory)
                .orElseThrow(() -> new IllegalArgumentException(
                        directory + " is not the data directory of a node: it has no file \"identity\""));
        if (DirectoryLock.isTaken(directory)) {
            throw new IllegalArgumentException(
                    directory + " is in use by a running node: stop it first, or read a copy of the directory");
        }
        Path log = directory.resolve("log");
        Path disk = SingleNodeLog.in(log);
        if (Files.isDirectory(disk)) {
            return new StoppedNode(directory, identity, Optional.of(DiskLogReader.read(disk, entries)));
        }
        return new StoppedNode(
                directory,
                identity,
                identity.cluster().isPresent()
                        ? Optional.of(RatisLogReader.read(
                                log.resolve(Node.RATIS), identity.cluster().get(), entries))
                        : Optional.empty());
    }
}
