package dev.holdfast.cli.operate;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.ProgressLine;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.consensus.OwnerOnly;
import dev.holdfast.protocol.v1.SnapshotChunk;
import dev.holdfast.protocol.v1.SnapshotSaveRequest;
import dev.holdfast.server.backup.Backup;
import dev.holdfast.server.backup.Restore;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast snapshot}: backups. */
@Command(
        name = "snapshot",
        description = "Saves a cluster's state to a file, or starts a new cluster from such a file.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(save | restore)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast snapshot save backup.hfb --endpoints 127.0.0.1:4600",
            "  holdfast snapshot restore backup.hfb --node-name n1 --data-dir ./n1 --above 281474976711935"
        })
final class SnapshotCommand implements Runnable {
    private static final long LONGEST_MINUTES = 60;

    private final Streams streams;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    SnapshotCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say which: save or restore");
    }

    @Command(
            name = "save",
            description = "Writes everything that was acknowledged before this call to a file.",
            mixinStandardHelpOptions = true)
    int save(
            @Parameters(paramLabel = "FILE", description = "the file to write") Path file, @Mixin Connection connection)
            throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new Failure(ExitCode.USAGE, "cannot write " + file + ": there is no directory " + parent);
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (Nodes nodes = connection.nodes()) {
            long bytes = nodes.admin(admin -> {
                try {
                    return write(
                            file,
                            admin.withDeadlineAfter(LONGEST_MINUTES, TimeUnit.MINUTES)
                                    .snapshotSave(SnapshotSaveRequest.getDefaultInstance()),
                            part);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            Backup.Header header = Backup.header(part);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            streams.out()
                    .println("saved " + file + ": " + bytes + " bytes, cluster " + header.cluster() + ", entry "
                            + header.index());
            return ExitCode.OK;
        } catch (IOException | UncheckedIOException e) {
            Files.deleteIfExists(part);
            throw new Failure(ExitCode.USAGE, "cannot write " + file + ": " + reason(e), e);
        } catch (StatusRuntimeException | HoldfastException e) {
            Files.deleteIfExists(part);
            throw e;
        }
    }

    private long write(Path file, Iterator<SnapshotChunk> chunks, Path part) throws IOException {
        long bytes = 0;
        // What an attempt before left may be open to others.
        Files.deleteIfExists(part);
        try (OutputStream out = Channels.newOutputStream(OwnerOnly.createFile(part));
                ProgressLine progress = new ProgressLine(streams)) {
            while (chunks.hasNext()) {
                SnapshotChunk chunk = chunks.next();
                chunk.getData().writeTo(out);
                bytes += chunk.getData().size();
                progress.tell("saving " + file + ": " + bytes / 1_000_000 + " MB");
            }
        }
        try (FileChannel written = FileChannel.open(part, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        return bytes;
    }

    /** Which tokens may have been handed out after the backup: one of the two must be said. */
    static final class Seen {
        @Option(
                names = "--above",
                paramLabel = "TOKEN",
                description = "the highest fencing token seen anywhere: new tokens will be higher")
        private @Nullable Long above;

        @Option(names = "--first-restore", description = "no backup was restored after this one was taken")
        private boolean firstRestore;
    }

    /** For how long the new cluster grants nothing, if the operator knows better than the backup. */
    static final class Quarantine {
        @Option(
                names = "--quarantine",
                paramLabel = "DURATION",
                description = "grant nothing for this long: the longest time for which anybody may still believe in a "
                        + "lock that was taken before (default: as long as the backup's limits let a lease last)")
        private @Nullable Duration quarantine;

        @Option(names = "--no-quarantine", description = "grant at once: it is certain that no holder is left")
        private boolean none;

        static @Nullable Duration of(@Nullable Quarantine said) {
            return said == null ? null : said.none ? Duration.ZERO : said.quarantine;
        }
    }

    @Command(
            name = "restore",
            description = {
                "Creates the data directory of one node of a new cluster that starts with a backup's state.",
                "Do it for every node in cluster.members, with the same file and options, then start them. Leases and "
                        + "holds in the backup end; nothing is granted while an earlier holder might still believe in "
                        + "its lease."
            },
            mixinStandardHelpOptions = true)
    int restore(
            @Parameters(paramLabel = "FILE", description = "a saved snapshot") Path file,
            @Option(names = "--node-name", required = true, paramLabel = "NAME", description = "the node's name")
                    String name,
            @Option(
                            names = "--data-dir",
                            required = true,
                            paramLabel = "DIR",
                            description = "the node's data directory; must be empty")
                    Path directory,
            @ArgGroup(multiplicity = "1") Seen seen,
            @ArgGroup @Nullable Quarantine quarantine) {
        try {
            long above = seen.firstRestore || seen.above == null ? 0 : seen.above;
            Restore.Outcome outcome = Restore.restore(file, directory, name, above, Quarantine.of(quarantine));
            streams.out()
                    .println("restored " + directory + ": epoch " + outcome.epoch() + ", revision " + outcome.revision()
                            + ", " + outcome.leasesEnded() + " leases ended");
            streams.out().println(quarantineText(outcome, quarantine != null));
            streams.out()
                    .println("Do the same for every node in cluster.members, then start them: holdfast server"
                            + " --node-name " + name + " --data-dir " + directory + " --cluster-members …");
            return ExitCode.OK;
        } catch (IOException | IllegalArgumentException e) {
            throw new Failure(ExitCode.USAGE, reason(e), e);
        }
    }

    /** How long the new cluster grants nothing, why, and how that can be less. */
    private static String quarantineText(Restore.Outcome outcome, boolean said) {
        if (outcome.quarantineMillis() == 0) {
            return "Locks are granted as soon as the cluster runs.";
        }
        String length = Durations.text(outcome.quarantineMillis());
        if (said) {
            return "Nothing is granted for the first " + length + " after the cluster starts.";
        }
        String known = outcome.longestTtlMillis() == 0
                ? "The backup knows of no lease"
                : "The longest lease that the backup knows of was " + Durations.text(outcome.longestTtlMillis());
        return "Nothing is granted for the first " + length + " after the cluster starts: leases of that length were"
                + " allowed (TTL_MAX_MILLIS), and one that was taken after the backup may still be believed in. "
                + known
                + ": if no client asked for more since, or the old cluster has been down for a while, empty "
                + "the directory and restore with --quarantine DURATION. If TTL_MAX_MILLIS was raised after the backup, "
                + "say the higher value so.";
    }

    /** What the system says of a file is often only its name. */
    private static String reason(Exception failed) {
        Throwable cause =
                failed instanceof UncheckedIOException && failed.getCause() != null ? failed.getCause() : failed;
        if (cause instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist";
        }
        return cause instanceof FileSystemException file && file.getReason() == null
                ? cause.getClass().getSimpleName() + ": " + file.getFile()
                : String.valueOf(cause.getMessage());
    }
}
