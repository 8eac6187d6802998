package dev.holdfast.chaos;

import static org.awaitility.Awaitility.await;

import dev.holdfast.testports.TestPorts;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The class path that servers are started with: that of this process, with an archive of the classes as a JVM has read
 * them once. A start then costs the processor two fifths less, and there are a hundred of them.
 *
 * <p>The JVM archives classes from jars only, so directories become jars. Nothing is lost if there is no archive.
 */
final class ServerClasses {
    private static final Path DIRECTORY = Path.of("target", "server-classes").toAbsolutePath();
    private static final Path ARCHIVE = DIRECTORY.resolve("classes.jsa");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Its nodes listen on ports up to twenty above the first. */
    private static final int DEV_PORTS = 30;

    private static @Nullable List<String> options;

    private ServerClasses() {}

    /** A JVM that runs a class of these tests, in a process of its own. */
    static List<String> command(String heap, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-Xmx" + heap));
        command.addAll(options());
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** What {@code java} is given before the name of a class. Takes a few seconds the first time. */
    static synchronized List<String> options() {
        List<String> made = options;
        if (made == null) {
            made = make();
            options = made;
        }
        return made;
    }

    private static List<String> make() {
        String own = System.getProperty("java.class.path");
        List<Path> entries = Stream.of(own.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
        if (entries.stream().noneMatch(Files::isDirectory)) {
            return options(own); // started with these options by another process
        }
        try {
            if (Files.exists(DIRECTORY)) {
                PowerSupply.delete(DIRECTORY);
            }
            Files.createDirectories(DIRECTORY);
            List<String> jars = new ArrayList<>();
            for (Path entry : entries) {
                jars.add(Files.isDirectory(entry) ? pack(entry, jars.size()) : entry.toString());
            }
            String classPath = String.join(File.pathSeparator, jars);
            archive(classPath);
            return options(classPath);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> options(String classPath) {
        return Files.exists(ARCHIVE)
                ? List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-cp", classPath)
                : List.of("-cp", classPath);
    }

    private static String pack(Path classes, int number) throws IOException {
        Path jar = DIRECTORY.resolve(number + ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream packed = new ZipOutputStream(file);
                Stream<Path> found = Files.walk(classes)) {
            packed.setLevel(Deflater.NO_COMPRESSION);
            for (Path source : found.filter(Files::isRegularFile).sorted().toList()) {
                String name = classes.relativize(source).toString().replace(File.separatorChar, '/');
                packed.putNextEntry(new ZipEntry(name));
                Files.copy(source, packed);
                packed.closeEntry();
            }
        }
        return jar.toString();
    }

    /** Lets a whole cluster run in one process: it uses nearly every class that a server does, and keeps them as it ends. */
    private static void archive(String classPath) throws IOException, InterruptedException {
        Path said = DIRECTORY.resolve("dev.out");
        Process cluster = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:ArchiveClassesAtExit=" + ARCHIVE,
                        "-Xlog:disable",
                        "-cp",
                        classPath,
                        "dev.holdfast.cli.Holdfast",
                        "dev",
                        "--port",
                        Integer.toString(TestPorts.next(DEV_PORTS)))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            // It ends by itself if one of its ports is taken.
            await().atMost(PATIENCE)
                    .until(() -> !cluster.isAlive() || Files.readString(said).contains("is ready"));
            cluster.destroy();
            cluster.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            cluster.destroyForcibly().waitFor();
        }
    }
}
