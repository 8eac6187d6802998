package dev.holdfast.guard.kafka;

import static org.awaitility.Awaitility.await;

import dev.holdfast.testports.TestPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** A broker that is its own controller, in a process of its own on loopback. All tests share it: it starts slowly. */
final class KafkaBroker {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final KafkaBroker SHARED = new KafkaBroker();

    private final Path root;
    private final int port = TestPorts.next();
    private final Process process;
    private final Admin admin;

    private KafkaBroker() {
        try {
            root = Files.createTempDirectory("holdfast-kafka");
            Path properties = Files.writeString(root.resolve("server.properties"), properties(TestPorts.next()));
            String cluster = Uuid.randomUuid().toString();
            Process format = java("kafka.tools.StorageTool", "format", "-t", cluster, "-c", properties.toString());
            if (format.onExit().join().exitValue() != 0) {
                throw new IOException("no storage was made:\n" + Files.readString(root.resolve("output")));
            }
            process = java("kafka.Kafka", properties.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end-of-broker"));
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap()));
        await().atMost(PATIENCE)
                .failFast("the broker ended", () -> !process.isAlive())
                .until(this::answers);
    }

    static KafkaBroker shared() {
        return SHARED;
    }

    String bootstrap() {
        return "127.0.0.1:" + port;
    }

    void create(String topic, int partitions) throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                .all()
                .get();
    }

    private boolean answers() throws InterruptedException, TimeoutException {
        try {
            return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private String properties(int controllerPort) {
        return """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                controller.listener.names=CONTROLLER
                controller.quorum.voters=1@127.0.0.1:%d
                log.dirs=%s
                auto.create.topics.enable=false
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=1
                """.formatted(port, controllerPort, controllerPort, root.resolve("data"));
    }

    private Process java(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(root.resolve("output").toFile()))
                .start();
    }

    private void end() {
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
