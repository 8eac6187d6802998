package dev.holdfast.server;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.ReplicatedLog;
import dev.holdfast.consensus.disk.DiskLog;
import dev.holdfast.consensus.disk.DiskSettings;
import dev.holdfast.server.cluster.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The log of a node that is alone: on its own disk, not replicated. Which kind a node has is decided once. */
final class SingleNodeLog {
    private SingleNodeLog() {}

    /** Whether the first start of this node decided for it. */
    static boolean isIn(DataDirectory directory) {
        return Files.isDirectory(path(directory));
    }

    static void decideFor(DataDirectory directory) throws IOException {
        Files.createDirectories(path(directory));
    }

    static ReplicatedLog open(DataDirectory directory, Member self, long snapshotAfterBytes, Replica replica) {
        return new DiskLog(
                new DiskSettings(self, path(directory), snapshotAfterBytes, DiskSettings.SEGMENT_BYTES), replica);
    }

    static ReplicatedLog open(DataDirectory directory, Member self, Replica replica) {
        return open(directory, self, DiskSettings.SNAPSHOT_AFTER_BYTES, replica);
    }

    private static Path path(DataDirectory directory) {
        return in(directory.log());
    }

    static Path in(Path log) {
        return log.resolve("disk");
    }
}
