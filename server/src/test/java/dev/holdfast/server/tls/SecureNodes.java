package dev.holdfast.server.tls;

import static dev.holdfast.server.tls.TlsFiles.file;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.util.TlsEngineType;
import dev.holdfast.server.Node;
import dev.holdfast.server.settings.TlsSettings;
import dev.holdfast.server.settings.source.SettingsReader;
import dev.holdfast.testports.TestPorts;
import io.grpc.stub.AbstractStub;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** Nodes in this process that know each other by certificates, each in files of its own. */
final class SecureNodes implements AutoCloseable {
    private static final int READ_MILLIS = 10_000;

    private final Path root;
    private final Map<String, Integer> clientPorts = new HashMap<>();
    private final Map<String, Integer> peerPorts = new HashMap<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<ClientFactory> factories = new ArrayList<>();

    SecureNodes(Path root) {
        this.root = root;
    }

    /** Starts a cluster of these, and waits until each knows a leader. */
    SecureNodes form(List<String> names) throws IOException, InterruptedException {
        return form(names, Map.of());
    }

    /** Likewise, with more settings. */
    SecureNodes form(List<String> names, Map<String, String> more) throws IOException, InterruptedException {
        names.forEach(this::place);
        String members = names.stream()
                .map(name -> name + "=" + clientAddress(name) + "/127.0.0.1:" + peerPort(name))
                .collect(Collectors.joining(","));
        List<Thread> starting = new ArrayList<>();
        for (String name : names) {
            Map<String, String> flags = new HashMap<>(more);
            flags.put("cluster.members", members);
            Node node = make(name, flags);
            Thread thread = new Thread(() -> start(node));
            thread.start();
            starting.add(thread);
        }
        for (Thread thread : starting) {
            thread.join();
        }
        await().atMost(Duration.ofSeconds(90))
                .until(() -> nodes.values().stream().allMatch(Node::isReady));
        return this;
    }

    /** Starts a node that knows one address of the cluster. */
    void join(String name, Map<String, String> more) throws IOException {
        Map<String, String> flags = new HashMap<>(more);
        flags.put("cluster.join", clientAddress(nodes.keySet().iterator().next()));
        place(name);
        start(make(name, flags));
    }

    private void place(String name) {
        clientPorts.put(name, TestPorts.next());
        peerPorts.put(name, TestPorts.next());
    }

    private Node make(String name, Map<String, String> more) throws IOException {
        show(name, name);
        Map<String, String> flags = new HashMap<>(more);
        flags.put("node.name", name);
        flags.put("data.dir", root.resolve(name).toString());
        flags.put("peer.address", "127.0.0.1:" + peerPort(name));
        flags.put("client.address", clientAddress(name));
        flags.put("tls.certificate", certificate(name).toString());
        flags.put("tls.key", key(name).toString());
        flags.put("tls.ca", file("ca.pem").toString());
        Node node = new Node(SettingsReader.read(Optional.empty(), Map.of(), flags), (message, cause) -> {});
        nodes.put(name, node);
        return node;
    }

    private static void start(Node node) {
        try {
            node.start();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    Path certificate(String node) {
        return root.resolve(node + ".pem");
    }

    private Path key(String node) {
        return root.resolve(node + ".key");
    }

    /** Puts a certificate where a node finds its own. */
    void show(String node, String given) throws IOException {
        Files.copy(file(given + ".key"), key(node), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(file(given + ".pem"), certificate(node), StandardCopyOption.REPLACE_EXISTING);
    }

    String clientAddress(String node) {
        return "127.0.0.1:" + clientPort(node);
    }

    int clientPort(String node) {
        return Objects.requireNonNull(clientPorts.get(node));
    }

    int peerPort(String node) {
        return Objects.requireNonNull(peerPorts.get(node));
    }

    void stop(String... names) {
        closeAll(Stream.of(names)
                .map(name -> Objects.requireNonNull(nodes.remove(name)))
                .toList());
    }

    /** All at once, for each of them takes its time. */
    private static void closeAll(Collection<Node> nodes) {
        CompletableFuture.allOf(nodes.stream()
                        .map(node -> CompletableFuture.runAsync(node::close, closing -> new Thread(closing).start()))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    /** A stub for one node's client port, for whoever has this certificate; empty for none. */
    <S extends AbstractStub<S>> S client(String node, String certificate, Class<S> stub) {
        ClientFactoryBuilder builder = ClientFactory.builder()
                .tlsEngineType(TlsEngineType.JDK)
                .tlsCustomizer(context -> context.trustManager(file("ca.pem").toFile()));
        if (!certificate.isEmpty()) {
            builder.tls(TlsKeyPair.of(
                    file(certificate + ".key").toFile(),
                    file(certificate + ".pem").toFile()));
        }
        ClientFactory factory = builder.build();
        factories.add(factory);
        return GrpcClients.builder("gproto+https://" + clientAddress(node) + "/")
                .factory(factory)
                .responseTimeout(Duration.ofMinutes(2))
                .build(stub);
    }

    /** A connection to a port that has shaken hands, by whoever has this certificate; empty for none. */
    static SSLSocket connect(int port, String certificate) throws Exception {
        KeyManager[] keys = {};
        if (!certificate.isEmpty()) {
            TlsSettings own = new TlsSettings(
                    file(certificate + ".pem"), file(certificate + ".key"), Optional.empty(), Optional.empty());
            keys = new KeyManager[] {Certificates.read(own, Optional.empty()).keys()};
        }
        NodeTls trust = new NodeTls(
                new TlsSettings(file("n1.pem"), file("n1.key"), Optional.of(file("ca.pem")), Optional.empty()), "n1");
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys, new TrustManager[] {trust.callers()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(READ_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    @Override
    public void close() {
        factories.forEach(ClientFactory::close);
        closeAll(nodes.values());
    }
}
