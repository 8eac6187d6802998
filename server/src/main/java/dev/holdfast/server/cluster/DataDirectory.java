package dev.holdfast.server.cluster;

import dev.holdfast.consensus.DirectoryLock;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A node's directory, and who the node is because of it.
 *
 * <p>The identity is made once, with the directory, and is on disk before anybody hears of it. The cluster is written
 * down before the engine starts: a directory that belongs to a cluster but has lost its log is refused, for such a node
 * would vote as if it had never acknowledged anything.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String IDENTITY = "identity";
    private static final String JOINED = "joined";
    private static final String SEED = "seed";
    private static final String FOUNDERS = "founders";
    private static final String FORMAT = "1";

    private final Path path;
    private final NodeId id;
    private final DirectoryLock lock;
    private Optional<UUID> cluster;

    private DataDirectory(Path path, NodeId id, Optional<UUID> cluster, DirectoryLock lock) {
        this.path = path;
        this.id = id;
        this.cluster = cluster;
        this.lock = lock;
    }

    /** Opens the directory of the node of this name, or makes it. One process at a time. */
    public static DataDirectory open(Path path, String name) throws IOException {
        OwnerOnly.createDirectory(path);
        DirectoryLock lock = DirectoryLock.acquire(path);
        try {
            Path identity = path.resolve(IDENTITY);
            if (!Files.exists(identity)) {
                requireEmpty(path);
                DataDirectory made =
                        new DataDirectory(path, new NodeId(name, UUID.randomUUID()), Optional.empty(), lock);
                made.write();
                return made;
            }
            Identity written = readIdentity(identity);
            DataDirectory found = new DataDirectory(path, written.id(), written.cluster(), lock);
            if (!found.id.name().equals(name)) {
                throw new IOException("data.dir " + path + " belongs to node \"" + found.id.name() + "\", not to \""
                        + name + "\": give each node a directory of its own");
            }
            if (found.cluster.isPresent() && isEmpty(found.log())) {
                throw new IOException("data.dir " + path + " belongs to cluster " + found.cluster.get()
                        + " but its log is gone. A node that forgot what it acknowledged must not vote: move the"
                        + " directory away, then start the node with an empty one, cluster.join set to another member"
                        + " and cluster.replaces = " + found.id);
            }
            return found;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Makes the directory of a node that begins a new cluster with the state of a backup.
     *
     * @param frames the state, as a snapshot's bytes
     */
    public static void restore(Path path, String name, Iterator<byte[]> frames) throws IOException {
        OwnerOnly.createDirectory(path);
        requireEmpty(path);
        try (DirectoryLock lock = DirectoryLock.acquire(path)) {
            Path seed = path.resolve(SEED);
            try (FileChannel out = FileChannel.open(seed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                while (frames.hasNext()) {
                    ByteBuffer frame = ByteBuffer.wrap(frames.next());
                    while (frame.hasRemaining()) {
                        out.write(frame);
                    }
                }
                out.force(true);
            }
            new DataDirectory(path, new NodeId(name, UUID.randomUUID()), Optional.empty(), lock).write();
        }
    }

    /** The state that a restored node's new cluster begins with. */
    public Optional<Path> seed() {
        return Optional.of(path.resolve(SEED)).filter(Files::exists);
    }

    /** Tells seeds apart; empty if there is none. */
    public String seedSum() throws IOException {
        if (seed().isEmpty()) {
            return "";
        }
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[64 * 1024];
        try (InputStream in = Files.newInputStream(seed().get())) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                crc.update(buffer, 0, length);
            }
        }
        return Files.size(seed().get()) + "-" + Long.toHexString(crc.getValue());
    }

    private static void requireEmpty(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            Optional<Path> stranger =
                    files.filter(file -> !file.endsWith("lock")).findAny();
            if (stranger.isPresent()) {
                throw new IOException(
                        "data.dir " + path + " is not empty (" + stranger.get().getFileName()
                                + ") and has no identity file: give the node an empty directory");
            }
        }
    }

    /** Who the node of a directory is, and of which cluster; reading it changes nothing. */
    public record Identity(NodeId id, Optional<UUID> cluster) {}

    /** The identity in a directory; empty if there is none, and then no node ever lived there. */
    public static Optional<Identity> identity(Path path) throws IOException {
        Path file = path.resolve(IDENTITY);
        return Files.exists(file) ? Optional.of(readIdentity(file)) : Optional.empty();
    }

    private static Identity readIdentity(Path identity) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(Files.readString(identity)));
        if (!FORMAT.equals(properties.getProperty("format"))) {
            throw new IOException(identity + ": format " + properties.getProperty("format") + " is not known; this"
                    + " version reads " + FORMAT);
        }
        String cluster = properties.getProperty("cluster", "");
        try {
            return new Identity(
                    NodeId.parse(properties.getProperty("node", "")),
                    cluster.isEmpty() ? Optional.empty() : Optional.of(UUID.fromString(cluster)));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    identity + " is damaged: " + e.getMessage() + ". Replace the node: it no longer knows who it is",
                    e);
        }
    }

    public NodeId id() {
        return id;
    }

    /** The cluster this node is or will be of. */
    public synchronized Optional<UUID> cluster() {
        return cluster;
    }

    /** Where the engine keeps its log and snapshots. */
    public Path log() {
        return path.resolve("log");
    }

    /** Writes down that this node is of a cluster, for good, and whom it was formed with; nobody if it joins. */
    public synchronized void enter(UUID entered, List<Member> founders) throws IOException {
        if (cluster.isPresent() && !cluster.get().equals(entered)) {
            throw new IOException("data.dir " + path + " belongs to cluster " + cluster.get() + ", not to " + entered);
        }
        cluster = Optional.of(entered);
        // The log's directory comes first: a cluster without one means that a log was lost.
        Files.createDirectories(log());
        writeFile(
                log().resolve(FOUNDERS),
                founders.stream().map(DataDirectory::line).collect(Collectors.joining()));
        write();
    }

    /** Whether this node came into its cluster by joining, and is in. */
    public boolean hasJoined() {
        return Files.exists(log().resolve(JOINED));
    }

    public void setJoined() throws IOException {
        writeFile(log().resolve(JOINED), "");
    }

    /** Whom the cluster was formed with; empty if this node joined it. */
    public List<Member> founders() throws IOException {
        return Files.readAllLines(log().resolve(FOUNDERS)).stream()
                .map(DataDirectory::member)
                .toList();
    }

    private static String line(Member member) {
        return String.join(
                        "\t",
                        member.id().toString(),
                        member.peerAddress(),
                        member.part().name(),
                        member.clientAddress())
                + "\n";
    }

    private static Member member(String line) {
        String[] fields = line.split("\t", -1);
        return new Member(NodeId.parse(fields[0]), fields[1], fields[3], Member.Part.valueOf(fields[2]));
    }

    private void write() throws IOException {
        writeFile(
                path.resolve(IDENTITY),
                "# Who this node is. Never copy this file to another directory.\nformat=" + FORMAT + "\nnode=" + id
                        + "\ncluster=" + cluster.map(UUID::toString).orElse("") + "\n");
    }

    /** Whole or not at all, and on disk when this returns. */
    private static void writeFile(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path parent = Objects.requireNonNull(file.getParent(), "a file in a directory");
        try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return true;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
