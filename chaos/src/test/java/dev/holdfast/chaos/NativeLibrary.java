package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Compiles what stands between a server and its disk, and between servers. */
final class NativeLibrary {
    private NativeLibrary() {}

    /** For LD_PRELOAD. */
    static Path compile(Path directory, String name) throws IOException, InterruptedException {
        Path library = directory.resolve(name + ".so");
        gcc("-shared", "-fPIC", "-O1", "-pthread", "-o", library.toString(), "src/test/native/" + name + ".c", "-ldl");
        return library;
    }

    /** To be run. */
    static Path program(Path directory, String name) throws IOException, InterruptedException {
        Path program = directory.resolve(name);
        gcc("-O1", "-o", program.toString(), "src/test/native/" + name + ".c");
        return program;
    }

    /** The library that lets a process's clocks run fast or slow: of Debian's package libfaketime, for many threads. */
    static Optional<Path> fakeTime() throws IOException {
        try (Stream<Path> libraries = Files.find(
                Path.of("/usr/lib"),
                4,
                (path, attributes) -> path.getFileName().toString().equals("libfaketimeMT.so.1"))) {
            return libraries.findFirst();
        }
    }

    private static void gcc(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("gcc"));
        command.addAll(List.of(arguments));
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        assertThat(code).as("gcc").isZero();
    }
}
