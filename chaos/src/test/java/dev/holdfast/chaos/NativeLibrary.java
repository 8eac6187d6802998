package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

/** Compiles a small library that stands between a server and its disk. */
final class NativeLibrary {
    private NativeLibrary() {}

    /** For LD_PRELOAD. */
    static Path compile(Path directory, String name) throws IOException, InterruptedException {
        Path library = directory.resolve(name + ".so");
        int code = new ProcessBuilder(
                        "gcc",
                        "-shared",
                        "-fPIC",
                        "-O1",
                        "-pthread",
                        "-o",
                        library.toString(),
                        "src/test/native/" + name + ".c",
                        "-ldl")
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).as("gcc").isZero();
        return library;
    }
}
