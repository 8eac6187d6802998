package dev.holdfast.datastore;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A store in a process of its own. */
final class StoreProcess implements AutoCloseable {
    private static final String PORT = "port ";

    private final Process process;
    private final int port;

    StoreProcess(Path directory) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreProcess.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = said.readLine();
        while (line != null && !line.startsWith(PORT)) {
            line = said.readLine();
        }
        if (line == null) {
            throw new IOException("the store ended");
        }
        port = Integer.parseInt(line.substring(PORT.length()));
    }

    int port() {
        return port;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    /** Runs in the other process. */
    public static void main(String[] arguments) throws IOException {
        DataStore store =
                DataStore.start(Path.of(arguments[0]), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        System.out.println(PORT + store.port());
    }
}
