package dev.holdfast.consensus.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.consensus.Outcome;
import dev.holdfast.consensus.SnapshotFile;
import dev.holdfast.testports.TestPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Several logs in this process that talk over the loopback interface. */
final class Cluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path root;
    private final long snapshotAfterBytes;
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final UUID id = UUID.randomUUID();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<NodeId, RatisLog> reachable = new ConcurrentHashMap<>();

    Cluster(Path root, long snapshotAfterBytes) {
        this.root = root;
        this.snapshotAfterBytes = snapshotAfterBytes;
    }

    /** Three full voters, started. */
    static Cluster ofThree(Path root, long snapshotAfterBytes) {
        Cluster cluster = new Cluster(root, snapshotAfterBytes);
        cluster.bootstrap(Map.of("a", Part.VOTER, "b", Part.VOTER, "c", Part.VOTER));
        return cluster;
    }

    void bootstrap(Map<String, Part> parts) {
        List<Member> members = parts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> newMember(entry.getKey(), entry.getValue()))
                .toList();
        members.forEach(member -> nodes.put(member.id().name(), new Node(member, members)));
        nodes.values().forEach(Node::start);
    }

    /** A node with an empty directory that waits to be taken in. */
    Node newcomer(String name, Part part) {
        Node node = new Node(newMember(name, part), List.of());
        nodes.put(name, node);
        node.start();
        return node;
    }

    private static Member newMember(String name, Part part) {
        String clients = part == Part.WITNESS ? "" : name + ":1";
        return new Member(new NodeId(name, UUID.randomUUID()), "127.0.0.1:" + TestPorts.next(), clients, part);
    }

    Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new NoSuchElementException(name);
        }
        return node;
    }

    List<Node> running() {
        return nodes.values().stream().filter(node -> node.log != null).toList();
    }

    Node leader() {
        AtomicReference<@Nullable Node> found = new AtomicReference<>();
        Awaiting.until(() -> {
            List<Node> leaders = leaders();
            found.set(leaders.size() == 1 ? leaders.get(0) : null);
            return leaders.size() == 1;
        });
        return Objects.requireNonNull(found.get());
    }

    private List<Node> leaders() {
        return running().stream().filter(node -> node.replica.leads()).toList();
    }

    Node follower() {
        Node leader = leader();
        return running().stream()
                .filter(node -> node != leader && node.member.part() == Part.VOTER)
                .findFirst()
                .orElseThrow();
    }

    /** Proposes where it can be applied, and waits for that. */
    Outcome.Applied write(String text) {
        return write(List.of(text));
    }

    void writeMany(String prefix, int count, int size) {
        String padding = "x".repeat(size);
        Outcome.Applied unused = write(
                IntStream.range(0, count).mapToObj(i -> prefix + i + padding).toList());
    }

    /** The same for all that run: so also for whoever leads after an election. */
    void writeUntilForgotten() {
        writeUntilForgotten(running());
    }

    /** Writes until the first part of the log is gone on all of these: by then several snapshots were taken. */
    void writeUntilForgotten(List<Node> nodes) {
        Awaiting.until(() -> {
            writeMany("forgotten ", 10, 8_000);
            return nodes.stream()
                    .map(Node::segments)
                    .allMatch(segments -> segments.stream()
                            .noneMatch(name -> name.startsWith("log_0-") || name.equals("log_inprogress_0")));
        });
    }

    /** Writes several in order; what was refused is tried again with whoever leads then. */
    private Outcome.Applied write(List<String> texts) {
        List<String> left = texts;
        Outcome last = null;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!left.isEmpty()) {
            assertThat(System.nanoTime()).as("time is up").isLessThan(end);
            Node leader = leader();
            List<CompletableFuture<Outcome>> outcomes =
                    left.stream().map(leader::propose).toList();
            int done = 0;
            for (CompletableFuture<Outcome> outcome : outcomes) {
                Outcome settled = outcome.orTimeout(10, TimeUnit.SECONDS).join();
                if (settled instanceof Outcome.NotAppended) {
                    break;
                }
                assertThat(settled).isInstanceOf(Outcome.Applied.class);
                last = settled;
                done++;
            }
            left = left.subList(done, left.size());
        }
        return (Outcome.Applied) Objects.requireNonNull(last);
    }

    /** Waits until all running full nodes have applied the same as the leader. */
    void awaitAgreement() {
        Awaiting.untilAsserted(() -> {
            List<String> expected = leader().replica.entries();
            running().stream()
                    .filter(node -> node.member.part() != Part.WITNESS)
                    .filter(node -> !node.running().hasLeft())
                    .forEach(node -> assertThat(node.replica.entries())
                            .as(node.member.id().name())
                            .isEqualTo(expected));
        });
    }

    /** Replaces the members by those of the nodes with these names. */
    CompletableFuture<Void> reconfigure(Member... next) {
        Node leader = leader();
        return leader.running().reconfigure(leader.running().status().members(), Arrays.asList(next));
    }

    /** Stops several at once: one by one, those left would go on meanwhile. */
    void stop(Collection<Node> stopping) {
        CompletableFuture.allOf(stopping.stream()
                        .map(node -> CompletableFuture.runAsync(node::stop, pool))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    void stopAllBut(Node one) {
        stop(running().stream().filter(node -> node != one).toList());
    }

    @Override
    public void close() {
        stop(nodes.values());
        pool.shutdown();
    }

    /** One member: its directory outlives its log. */
    final class Node {
        final Member member;
        private final List<Member> initial;
        RecordingReplica replica = new RecordingReplica();
        final HeldDisk disk;
        private volatile @Nullable RatisLog log;

        Node(Member member, List<Member> initial) {
            this.member = member;
            this.initial = initial;
            this.disk = new HeldDisk(logDirectory(), directory());
        }

        Member as(Part part) {
            return new Member(member.id(), member.peerAddress(), member.clientAddress(), part);
        }

        Path directory() {
            return root.resolve(member.id().toString());
        }

        Path logDirectory() {
            return directory().resolve(id.toString()).resolve("current");
        }

        Path snapshotDirectory() {
            return directory().resolve(id.toString()).resolve("sm");
        }

        void start() {
            replica = new RecordingReplica();
            RatisLog starting = new RatisLog(
                    new RatisSettings(
                            member,
                            id,
                            directory(),
                            initial,
                            Duration.ofMillis(300),
                            Duration.ofMillis(600),
                            snapshotAfterBytes,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty()),
                    replica,
                    Cluster.this::fetch,
                    disk);
            try {
                starting.start();
            } catch (IOException e) {
                starting.close();
                throw new UncheckedIOException(e);
            } catch (RuntimeException e) {
                starting.close();
                throw e;
            }
            log = starting;
            reachable.put(member.id(), starting);
        }

        void stop() {
            disk.free();
            RatisLog stopping = log;
            log = null;
            reachable.remove(member.id());
            if (stopping != null) {
                stopping.close();
            }
        }

        RatisLog running() {
            RatisLog running = log;
            if (running == null) {
                throw new IllegalStateException(member.id() + " is not running");
            }
            return running;
        }

        CompletableFuture<Outcome> propose(String text) {
            return propose(text.getBytes(StandardCharsets.UTF_8));
        }

        CompletableFuture<Outcome> propose(byte[] entry) {
            return running().propose(running().status().role().term(), entry);
        }

        List<String> segments() {
            return files(logDirectory(), "log_");
        }

        List<String> snapshots() {
            return files(snapshotDirectory(), "");
        }

        private List<String> files(Path directory, String prefix) {
            try (var files = Files.list(directory)) {
                return files.map(file -> file.getFileName().toString())
                        .filter(name -> name.startsWith(prefix))
                        .sorted()
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What a server does over the network: copies the newest snapshot of a member that runs. */
    private Optional<SnapshotFile> fetch(Member from, long lowestIndex, Path into) throws IOException {
        RatisLog other = reachable.get(from.id());
        if (other == null) {
            throw new IOException(from.id() + " is not reachable");
        }
        Optional<SnapshotFile> newest = other.latestSnapshot().filter(snapshot -> snapshot.index() >= lowestIndex);
        if (newest.isPresent()) {
            Files.copy(newest.get().path(), into, StandardCopyOption.REPLACE_EXISTING);
        }
        return newest.map(snapshot -> new SnapshotFile(snapshot.term(), snapshot.index(), into));
    }
}
