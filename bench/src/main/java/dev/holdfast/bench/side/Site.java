package dev.holdfast.bench.side;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a system's servers are put, and with what they run.
 *
 * @param directory on a disk; for this run alone
 * @param serverFlags for the JVMs of servers
 */
public record Site(Path directory, List<String> serverFlags, Variant variant) {
    /** How long servers may take until they serve. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** A command for another JVM like this one, with a server's flags. */
    public List<String> java(String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(serverFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        return command;
    }

    /** An address on this machine that is free now. */
    public String freeAddress() throws IOException {
        return "127.0.0.1:" + freePort();
    }

    public int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** A new directory. */
    public Path directory(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    /** Starts a server of this name. */
    public ServerProcess launch(String name, String address, List<String> command) throws IOException {
        return ServerProcess.start(address, command, directory.resolve(name + ".out"));
    }

    /** Waits until a condition holds; what it throws counts as no. */
    public static void await(String what, Callable<Boolean> condition) throws InterruptedException {
        long start = System.nanoTime();
        Exception last = null;
        while (System.nanoTime() - start < PATIENCE.toNanos()) {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e;
            }
            Thread.sleep(PAUSE.toMillis());
        }
        throw new IllegalStateException("gave up after " + PATIENCE.toSeconds() + " s waiting until " + what, last);
    }

    /** The version of a library on the class path, from the name of its file. */
    public static String versionOf(String library) {
        Pattern name = Pattern.compile(Pattern.quote(library) + "-(\\d.*)\\.jar");
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Matcher matcher = name.matcher(Path.of(entry).getFileName().toString());
            if (matcher.matches()) {
                return matcher.group(1);
            }
        }
        return "of unknown version";
    }

    /** What a program prints first. */
    public static String firstLine(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var lines = process.inputReader()) {
            String line = lines.readLine();
            return line == null ? "" : line;
        }
    }
}
