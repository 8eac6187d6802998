package dev.holdfast.guard.kafka;

import java.io.IOException;
import java.nio.file.Path;

/** A consumer in a process of its own, which works until it is killed. */
final class ConsumerProcess implements AutoCloseable {
    private final Process process;

    ConsumerProcess(String topic, int partitions, Store store) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsumerProcess.class.getName(),
                        KafkaBroker.shared().bootstrap(),
                        topic,
                        Integer.toString(partitions),
                        store.url())
                .inheritIO()
                .start();
    }

    /** As kill -9 does. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** Runs in the other process. */
    public static void main(String[] arguments) {
        Follower.follow(
                arguments[0],
                arguments[1],
                Integer.parseInt(arguments[2]),
                arguments[3],
                Follower.Filter.ON,
                () -> false);
    }
}
