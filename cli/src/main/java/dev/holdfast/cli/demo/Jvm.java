package dev.holdfast.cli.demo;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts this very command again, in processes of their own. */
final class Jvm {
    private Jvm() {}

    static Process start(List<String> arguments, Redirect out, Redirect err) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Quick to start and small: nothing is measured here.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.holdfast.cli.Holdfast"));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectOutput(out)
                .redirectError(err)
                .start();
    }

    static void signal(Process process, String signal) throws IOException, InterruptedException {
        // The shell's own kill: the command of that name is not installed everywhere.
        int code = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + signal + " gave " + code);
        }
    }
}
