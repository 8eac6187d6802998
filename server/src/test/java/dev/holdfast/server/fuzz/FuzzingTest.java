package dev.holdfast.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Item;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.server.rest.RestSeeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jazzer looks for bytes that a {@link Decoders decoder} neither reads nor refuses, guided by the code they reach. */
@Tag("slow")
@Timeout(600)
class FuzzingTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.long");
    private static final int LONG_SECONDS = 480;
    private static final int SHORT_RUNS = 20_000;

    @TempDir
    Path directory;

    @Test
    void no_bytes_bring_a_decoder_to_anything_but_a_reading_or_a_refusal() throws Exception {
        // The same inputs each time, unless there is time to look for others.
        long seed = Long.getLong("holdfast.seed", LONG ? System.nanoTime() & Integer.MAX_VALUE : 1);
        Path corpus = Files.createDirectory(directory.resolve("corpus"));
        seeds(corpus);
        Path output = directory.resolve("output");
        Process fuzzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=" + (LONG ? 4 : 1), // the best code is not worth it for seconds
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + Decoders.class.getName(),
                        "--instrumentation_includes=dev.holdfast.server.**:dev.holdfast.core.**",
                        "--reproducer_path=" + directory,
                        "-artifact_prefix=" + directory + "/",
                        LONG ? "-max_total_time=" + LONG_SECONDS : "-runs=" + SHORT_RUNS,
                        "-max_len=2048",
                        "-rss_limit_mb=0", // the JVM has its own
                        "-seed=" + seed,
                        corpus.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = fuzzer.waitFor();
        String said = Files.readString(output);
        assertThat(exit).as("seed %d: %s", seed, end(said)).isZero();
        // A fuzzer that did not run, or was not guided, finds nothing either.
        assertThat(said).contains("Done ").containsPattern("cov: [1-9][0-9]{2}");
    }

    private static String end(String output) {
        List<String> lines = output.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    }

    private static void seeds(Path corpus) throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (String body : RestSeeds.BODIES) {
            all.add(Decoders.REST_BODY.input(utf8(body)));
        }
        all.add(Decoders.REST_NAME.input(utf8("AAAAAAAAAAJvcmRlcjoxMjM0NQ")));
        all.add(Decoders.REST_NAME.input(utf8("M2p-aI8rr3F2vth7HGEIpwgSUo7C5hUF")));
        all.add(Decoders.REST_NAME.input(utf8("M2p-aI8rr3F2vthI8rr3F2vth7HG5hU=")));
        all.add(Decoders.REST_NAME.input(utf8("0-30")));
        all.add(Decoders.SOCKET_MESSAGE.input(
                utf8("{\"commandType\": 0, \"key\": \"order:12345\", \"clientId\": \"client-A\", \"ttl\": 30}")));
        all.add(Decoders.SESSION_FRAME.input(frame()));
        all.add(Decoders.LOG_ENTRY.input(CommandCodec.encode(new Batch(1, 2, 3, new long[] {4}, List.of()))));
        all.add(Decoders.SNAPSHOT.input(snapshot()));
        all.add(Decoders.TOKEN.input(utf8("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.AAAA")));
        all.add(
                Decoders.SIGNED_TOKEN.input(
                        utf8(
                                "{\"alg\":\"HS256\",\"typ\":\"JWT\"}\n{\"sub\":\"ann\",\"aud\":\"holdfast\","
                                        + "\"exp\":4102444800,\"tenant\":\"acme\",\"permissions\":[{\"prefix\":\"acme/\",\"verbs\":[\"read\"]}]}")));
        for (int i = 0; i < all.size(); i++) {
            Files.write(corpus.resolve("seed" + i), all.get(i));
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] frame() {
        LockRequest request = LockRequest.newBuilder()
                .setLeaseId(7)
                .setSeq(1)
                .setTimeoutMs(1_000)
                .addItems(Item.newBuilder().setKey("a").setKind(Kind.SUBTREE))
                .build();
        return ClientFrame.newBuilder()
                .addMessages(ClientMessage.newBuilder().setId(1).setAcquire(request))
                .build()
                .toByteArray();
    }

    /** The payload of the first frame of an empty machine's snapshot. */
    private static byte[] snapshot() {
        byte[] frame =
                Objects.requireNonNull(new LockMachine().startSnapshot(1 << 16).next());
        return Arrays.copyOfRange(frame, Integer.BYTES, frame.length - Integer.BYTES);
    }
}
