package dev.holdfast.cli.demo;

import dev.holdfast.cli.connect.Nodes;
import dev.holdfast.protocol.v1.StatusRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A cluster of three processes on this machine. */
final class LocalNodes implements AutoCloseable {
    private static final int SIZE = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final long LOOK_MILLIS = 20;

    private final List<Process> processes = new ArrayList<>();
    private final List<String> addresses;

    private LocalNodes(List<String> addresses) {
        this.addresses = addresses;
    }

    /** Returns once they have a leader. */
    static LocalNodes start(Path directory) throws IOException, InterruptedException {
        List<Integer> ports = freePorts(2 * SIZE);
        List<String> addresses =
                ports.subList(0, SIZE).stream().map(port -> "127.0.0.1:" + port).toList();
        List<String> peers = ports.subList(SIZE, 2 * SIZE).stream()
                .map(port -> "127.0.0.1:" + port)
                .toList();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            members.add(name(i) + "=" + addresses.get(i) + "/" + peers.get(i));
        }
        LocalNodes nodes = new LocalNodes(addresses);
        try {
            for (int i = 0; i < SIZE; i++) {
                nodes.processes.add(Jvm.start(
                        List.of(
                                "server",
                                "--node-name=" + name(i),
                                "--data-dir=" + directory.resolve(name(i)),
                                "--client-address=" + addresses.get(i),
                                "--peer-address=" + peers.get(i),
                                "--election-profile=fast",
                                "--cluster-members=" + String.join(", ", members)),
                        Redirect.DISCARD,
                        Redirect.to(directory.resolve(name(i) + ".out").toFile())));
            }
            var unused = nodes.leader();
        } catch (IOException | InterruptedException | RuntimeException e) {
            nodes.close();
            throw e;
        }
        return nodes;
    }

    private static String name(int index) {
        return "n" + (index + 1);
    }

    /** All at once, so that none is given twice. */
    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    String endpoints() {
        return String.join(",", addresses);
    }

    String pids() {
        return processes.stream().map(node -> Long.toString(node.pid())).collect(Collectors.joining(", "));
    }

    /** Waits until one of them leads; gives its name. */
    String leader() throws InterruptedException {
        return name(leading());
    }

    /** SIGKILL to the one that leads; gives its name. */
    String killLeader() throws InterruptedException {
        int leader = leading();
        processes.get(leader).destroyForcibly().waitFor();
        return name(leader);
    }

    private int leading() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try (Nodes nodes = Nodes.unencrypted(addresses, ANSWER)) {
            while (System.nanoTime() - end < 0) {
                for (int i = 0; i < SIZE; i++) {
                    if (processes.get(i).isAlive() && leads(nodes, addresses.get(i))) {
                        return i;
                    }
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
        throw new DemoFailure("no node leads after " + PATIENCE.toSeconds() + " s");
    }

    private static boolean leads(Nodes nodes, String address) {
        try {
            return nodes.admin(address, ANSWER, admin -> admin.status(StatusRequest.getDefaultInstance()))
                    .getRole()
                    .equals("leading");
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        for (Process process : processes) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
