package dev.holdfast.cli.operate;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.consensus.OwnerOnly;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How many nodes a local cluster has, and on which ports.
 *
 * <p>Members keep the addresses they were formed with, so whoever goes on with a directory must use the same: it is
 * written down beside the nodes' directories.
 */
record DevLayout(int nodes, int port) {
    private static final int PORTS_PER_NODE = 10;
    private static final int HIGHEST_PORT = 65_535;
    private static final int USUAL_NODES = 3;
    private static final int USUAL_PORT = 4600;
    private static final String FILE = "dev";

    DevLayout {
        if (nodes != 1 && nodes != 3 && nodes != 5) {
            throw new Failure(ExitCode.USAGE, "--nodes: must be 1, 3 or 5, was " + nodes);
        }
        if (port < 1 || port + (nodes - 1) * PORTS_PER_NODE + 1 > HIGHEST_PORT) {
            throw new Failure(
                    ExitCode.USAGE, "--port: " + port + " leaves no room for the ports of " + nodes + " nodes");
        }
    }

    /** What was asked for; where nothing was, what the directory was made with, else what is usual. */
    static DevLayout of(Optional<Path> directory, OptionalInt nodes, OptionalInt port) {
        Optional<DevLayout> before = directory.flatMap(DevLayout::read);
        DevLayout wanted = new DevLayout(
                nodes.orElse(before.map(DevLayout::nodes).orElse(USUAL_NODES)),
                port.orElse(before.map(DevLayout::port).orElse(USUAL_PORT)));
        before.filter(made -> !made.equals(wanted)).ifPresent(made -> {
            throw new Failure(
                    ExitCode.USAGE,
                    directory.orElseThrow() + " was made with --nodes " + made.nodes() + " --port " + made.port()
                            + ", and members keep their addresses: leave the options out, or use another directory");
        });
        return wanted;
    }

    private static Optional<DevLayout> read(Path directory) {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
            return Optional.of(new DevLayout(
                    Integer.parseInt(properties.getProperty("nodes", "")),
                    Integer.parseInt(properties.getProperty("port", ""))));
        } catch (IOException | NumberFormatException e) {
            throw new Failure(ExitCode.USAGE, file + " cannot be read: use another directory", e);
        }
    }

    void write(Path directory) throws IOException {
        OwnerOnly.createDirectory(directory);
        Files.writeString(directory.resolve(FILE), "nodes=" + nodes + "\nport=" + port + "\n");
    }

    int clientPort(int index) {
        return port + index * PORTS_PER_NODE;
    }

    int peerPort(int index) {
        return clientPort(index) + 1;
    }

    /** Says so where a port is taken: a node that cannot open its port would keep the others waiting for it. */
    void requireFreePorts() {
        IntStream.range(0, nodes)
                .boxed()
                .flatMap(i -> Stream.of(clientPort(i), peerPort(i)))
                .filter(taken -> !isFree(taken))
                .findFirst()
                .ifPresent(taken -> {
                    throw new Failure(
                            ExitCode.USAGE,
                            "port " + taken
                                    + " is in use, by another 'holdfast dev' perhaps: stop that, or choose other"
                                    + " ports: holdfast dev --port " + (port + 1_000 < 60_000 ? port + 1_000 : 4_700));
                });
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
