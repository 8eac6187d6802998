package dev.holdfast.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of these tests as one process has read it, kept for those that start later: reading classes is most of
 * what a short command costs. It is made once for a run of the tests.
 */
final class ClassArchive {
    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m");
    private static final List<String> QUICK_JAVA = make();

    private ClassArchive() {}

    /** What starts a JVM with the classes of these tests; the class to run comes next. */
    static List<String> java() {
        return QUICK_JAVA;
    }

    private static List<String> make() {
        try {
            Path folder = Files.createDirectories(Path.of("target", "class-archive"));
            String classPath = classPath(folder);
            Path archive = folder.resolve("classes.jsa");
            Files.deleteIfExists(archive);
            List<String> first = new ArrayList<>(JAVA);
            first.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:disable", "-cp", classPath));
            first.addAll(List.of(Holdfast.class.getName(), "acquire", "warm-up"));
            first.addAll(List.of("--endpoints", "127.0.0.1:1", "--timeout", "1ms"));
            new ProcessBuilder(first)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor();
            List<String> java = new ArrayList<>(JAVA);
            // Without an archive, where a JVM cannot make or read one, everything works as well.
            java.addAll(List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + archive.toAbsolutePath()));
            java.addAll(List.of("-Xlog:disable", "-Xlog:all=error,cds*=off:stderr", "-cp", classPath));
            return List.copyOf(java);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** An archive knows jars only, so that what was compiled here becomes some. */
    private static String classPath(Path folder) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            Path path = Path.of(entry);
            entries.add(
                    Files.isDirectory(path)
                            ? jar(path, folder.resolve(entries.size() + ".jar")).toString()
                            : entry);
        }
        return String.join(":", entries);
    }

    private static Path jar(Path directory, Path jar) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            for (Path file : files) {
                zip.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
        return jar.toAbsolutePath();
    }
}
