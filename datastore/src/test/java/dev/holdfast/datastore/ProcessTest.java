package dev.holdfast.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.contract.LocalCluster;
import dev.holdfast.contract.pause.MemoryDisk;
import dev.holdfast.contract.pause.Outcome;
import dev.holdfast.contract.pause.Tally;
import dev.holdfast.contract.pause.Trial;
import dev.holdfast.datastore.Client.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The store against processes that are killed or stopped. */
@Timeout(300)
class ProcessTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.long");
    private static final int PAUSES = LONG ? 20 : 2;
    private static final long UPDATES = LONG ? 20_000 : 2_000;

    @TempDir(factory = MemoryDisk.class)
    Path root;

    /** Holders of a real lock are stopped for longer than their lease, between reading and writing. */
    @Test
    void store_takes_no_stale_write_and_one_that_compares_no_tokens_loses_updates() throws Exception {
        try (LocalCluster cluster = LocalCluster.start(root.resolve("cluster"), 1);
                DataStore store = DataStore.start(root.resolve("store"), loopback())) {
            String port = Integer.toString(store.port());
            Outcome guarded = new Trial(cluster.endpoints(), "guarded", Guarded.class, port).run(PAUSES, UPDATES);
            Outcome unguarded = new Trial(cluster.endpoints(), "unguarded", Unguarded.class, port).run(PAUSES / 2, 0);
            System.out.println("data store, guarded:   " + guarded);
            System.out.println("data store, unguarded: " + unguarded);
            guarded.requireNoHarm();
            assertThat(guarded.updates()).isGreaterThanOrEqualTo(UPDATES);
            unguarded.requireHarm();
        }
    }

    @Test
    void store_that_is_killed_has_every_write_it_acknowledged() throws Exception {
        long seed = Long.getLong("holdfast.seed", System.nanoTime());
        Random random = new Random(seed);
        long acknowledged = 0;
        for (int round = 0; round < 2; round++) {
            try (StoreProcess store = new StoreProcess(root)) {
                Client client = new Client(store.port());
                Answer read = client.read("a");
                if (acknowledged > 0) {
                    assertThat(read.json().path("data").asLong())
                            .as("seed %d", seed)
                            .isBetween(acknowledged, acknowledged + 1);
                    assertThat(client.write("a", acknowledged - 1, "old").status())
                            .isEqualTo(412);
                }
                AtomicLong done = new AtomicLong(acknowledged);
                Thread writer = new Thread(() -> writeUntilKilled(client, done), "writer");
                writer.start();
                long enough = acknowledged + random.nextInt(20, 100);
                await().until(() -> done.get() >= enough || !writer.isAlive());
                store.kill();
                writer.join();
                acknowledged = done.get();
            }
        }
        try (DataStore store = DataStore.start(root, loopback())) {
            assertThat(new Client(store.port()).read("a").json().path("data").asLong())
                    .as("seed %d", seed)
                    .isBetween(acknowledged, acknowledged + 1);
        }
    }

    private static void writeUntilKilled(Client client, AtomicLong done) {
        try {
            // The one that was not answered before may have been written: its token is used again.
            for (long next = done.get() + 1; ; next++) {
                if (client.write("a", next, Long.toString(next)).status() == 200) {
                    done.set(next);
                }
            }
        } catch (IOException | InterruptedException e) {
            // It was killed.
        }
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** A number in the store. */
    public static class Guarded implements Tally {
        private final Client client;
        private final String key;

        public Guarded(String port) {
            this(port, "guarded");
        }

        Guarded(String port, String key) {
            this.client = new Client(Integer.parseInt(port));
            this.key = key;
        }

        @Override
        public OptionalLong read(long token) throws IOException, InterruptedException {
            Answer answer = client.read(key, token);
            return switch (answer.status()) {
                case 200 -> OptionalLong.of(answer.json().path("data").asLong());
                case 404 -> OptionalLong.of(0);
                case 412 -> OptionalLong.empty();
                default -> throw new IOException(answer.toString());
            };
        }

        @Override
        public boolean write(long token, long number) throws IOException, InterruptedException {
            Answer answer = client.write(key, token, Long.toString(number));
            return switch (answer.status()) {
                case 200 -> true;
                case 412 -> false;
                default -> throw new IOException(answer.toString());
            };
        }

        @Override
        public void close() {}
    }

    /** The same, if nobody compared tokens: all show the same one. */
    public static final class Unguarded extends Guarded {
        public Unguarded(String port) {
            super(port, "unguarded");
        }

        @Override
        public OptionalLong read(long token) throws IOException, InterruptedException {
            return super.read(1);
        }

        @Override
        public boolean write(long token, long number) throws IOException, InterruptedException {
            return super.write(1, number);
        }
    }
}
