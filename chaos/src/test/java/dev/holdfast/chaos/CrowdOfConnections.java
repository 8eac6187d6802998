package dev.holdfast.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that has very many connections to a node open and never comes to the point: some say nothing, some a part of
 * a header, some that they speak HTTP/2 and then nothing. One that the node closes is opened again.
 */
final class CrowdOfConnections {
    private static final List<String> BEGINNINGS =
            List.of("", "GET /healthz HTTP/1.1\r\nHost: ", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

    private CrowdOfConnections() {}

    /** Starts it; it ends with its input. What it prints last is how many connections it has made in all. */
    static Process start(List<String> addresses, int count) throws IOException {
        List<String> command = ServerClasses.command(
                "512m", CrowdOfConnections.class, String.join(",", addresses), Integer.toString(count));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Takes the addresses and how many. */
    public static void main(String[] arguments) throws IOException {
        List<InetSocketAddress> nodes = new ArrayList<>();
        for (String address : arguments[0].split(",", -1)) {
            int colon = address.lastIndexOf(':');
            nodes.add(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
        }
        int wanted = Integer.parseInt(arguments[1]);
        int made = 0;
        try (Selector selector = Selector.open()) {
            while (System.in.available() == 0) {
                // A few at a time: it is the connections that are tried, not how fast they come.
                for (int i = 0; i < 100 && selector.keys().size() < wanted; i++) {
                    open(selector, nodes.get(made % nodes.size()), BEGINNINGS.get(made % BEGINNINGS.size()));
                    made++;
                }
                selector.select(10);
                for (SelectionKey key : selector.selectedKeys()) {
                    act(key);
                }
                selector.selectedKeys().clear();
            }
            System.out.println(made);
        }
        System.exit(0);
    }

    private static void open(Selector selector, InetSocketAddress node, String beginning) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_CONNECT, beginning);
        channel.connect(node);
    }

    private static void act(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                channel.write(ByteBuffer.wrap(((String) key.attachment()).getBytes(StandardCharsets.US_ASCII)));
                key.interestOps(SelectionKey.OP_READ);
            } else if (key.isReadable()) {
                ByteBuffer ignored = ByteBuffer.allocate(4_096);
                if (channel.read(ignored) < 0) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            channel.close();
        }
    }
}
