package dev.holdfast.server.tls;

import static dev.holdfast.server.tls.TlsFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.util.TlsEngineType;
import dev.holdfast.protocol.Errors;
import dev.holdfast.protocol.v1.AdminGrpc.AdminBlockingStub;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Identity;
import dev.holdfast.protocol.v1.JoinRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.MemberListRequest;
import dev.holdfast.protocol.v1.PeerGrpc.PeerBlockingStub;
import dev.holdfast.protocol.v1.PingRequest;
import dev.holdfast.server.Node;
import dev.holdfast.server.settings.NodeSettings;
import dev.holdfast.server.settings.TlsSettings;
import io.grpc.stub.AbstractStub;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes that know each other by certificates, and those who would like to be taken for one. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecureClusterTest {
    private static final List<String> NAMES = List.of("n1", "n2", "n3");

    private final Map<String, Integer> clientPorts = new HashMap<>();
    private final Map<String, Integer> peerPorts = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<ClientFactory> factories = new ArrayList<>();

    @BeforeAll
    void start(@TempDir Path root) throws Exception {
        Iterator<Integer> ports = freePorts(2 * NAMES.size()).iterator();
        for (String name : NAMES) {
            clientPorts.put(name, ports.next());
            peerPorts.put(name, ports.next());
        }
        String members = String.join(
                ",",
                NAMES.stream()
                        .map(name -> name + "=127.0.0.1:" + clientPorts.get(name) + "/127.0.0.1:" + peerPorts.get(name))
                        .toList());
        for (String name : NAMES) {
            Map<String, String> flags = new HashMap<>(TlsFiles.settings(name));
            flags.put("node.name", name);
            flags.put("data.dir", root.resolve(name).toString());
            flags.put("client.address", "127.0.0.1:" + clientPorts.get(name));
            flags.put("peer.address", "127.0.0.1:" + peerPorts.get(name));
            flags.put("cluster.members", members);
            nodes.add(new Node(NodeSettings.read(Optional.empty(), Map.of(), flags), (message, cause) -> {}));
        }
        List<Thread> starting = new ArrayList<>();
        for (Node node : nodes) {
            Thread thread = new Thread(() -> {
                try {
                    node.start();
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            starting.add(thread);
        }
        for (Thread thread : starting) {
            thread.join();
        }
        await().atMost(Duration.ofSeconds(90)).until(() -> nodes.stream().allMatch(Node::isReady));
    }

    @AfterAll
    void stop() {
        factories.forEach(ClientFactory::close);
        nodes.forEach(Node::close);
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

    /** A stub for one node's client port, for whoever has this certificate; empty for none. */
    private <S extends AbstractStub<S>> S client(String node, String certificate, Class<S> stub) {
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
        return GrpcClients.builder("gproto+https://127.0.0.1:" + clientPorts.get(node) + "/")
                .factory(factory)
                .responseTimeout(Duration.ofSeconds(30))
                .build(stub);
    }

    private static Code codeOf(Throwable failure) {
        return Errors.of(failure).map(Error::getCode).orElse(Code.OK);
    }

    @Test
    void a_lock_asked_of_any_node_is_granted() {
        for (String name : NAMES) {
            LockServiceBlockingStub locks = client(name, "", LockServiceBlockingStub.class);
            long lease = 1_000L + NAMES.indexOf(name);
            var unused = locks.leaseGrant(
                    LeaseGrantRequest.newBuilder().setId(lease).setTtl(60).build());
            assertThat(locks.lock(LockRequest.newBuilder()
                                    .setName("locks/" + name)
                                    .setLeaseId(lease)
                                    .build())
                            .getAcquired())
                    .isTrue();
        }
    }

    @Test
    void what_only_the_leader_knows_is_asked_of_it_by_any_node() {
        for (String name : NAMES) {
            assertThat(client(name, "", AdminBlockingStub.class)
                            .memberList(MemberListRequest.getDefaultInstance())
                            .getMembersList())
                    .hasSize(3);
        }
    }

    @Test
    void nobody_without_a_members_certificate_speaks_as_a_peer() {
        PingRequest ping = PingRequest.newBuilder().setFrom("n2@x").build();
        // The forged one is not even shown: the port names the authority it believes.
        for (String certificate : List.of("", "client", "forged-n2")) {
            PeerBlockingStub peer = client("n1", certificate, PeerBlockingStub.class);
            assertThat(codeOf(catchThrowable(() -> peer.ping(ping)))).isEqualTo(Code.PERMISSION_DENIED);
        }
    }

    @Test
    void a_member_speaks_for_itself_alone() {
        PeerBlockingStub peer = client("n1", "n2", PeerBlockingStub.class);
        assertThat(codeOf(catchThrowable(
                        () -> peer.ping(PingRequest.newBuilder().setFrom("n3@x").build()))))
                .isEqualTo(Code.PERMISSION_DENIED);
        assertThat(codeOf(catchThrowable(() -> peer.join(JoinRequest.newBuilder()
                        .setSelf(Identity.newBuilder().setId("n3@x"))
                        .build()))))
                .isEqualTo(Code.PERMISSION_DENIED);
        assertThat(peer.ping(PingRequest.newBuilder().setFrom("n2@x").build()).getId())
                .startsWith("n1@");
    }

    @Test
    void nothing_is_said_in_the_clear_on_either_port() throws IOException {
        for (int port : List.of(clientPorts.get("n1"), peerPorts.get("n1"))) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream()
                        .write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                byte[] answer = socket.getInputStream().readAllBytes();
                assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("200");
            }
        }
    }

    @Test
    void the_peer_port_ends_a_handshake_without_a_members_certificate() throws Exception {
        assertThat(shakesHands("n2")).isTrue();
        assertThat(shakesHands("client")).isFalse();
        assertThat(shakesHands("forged-n2")).isFalse();
        assertThat(shakesHands("")).isFalse();
    }

    /** Whether the peer port of n1 goes on after it has seen this certificate. */
    private boolean shakesHands(String certificate) throws Exception {
        KeyManager[] keys = {};
        if (!certificate.isEmpty()) {
            keys = new KeyManager[] {
                Certificates.read(
                                new TlsSettings(
                                        file(certificate + ".pem"),
                                        file(certificate + ".key"),
                                        Optional.empty(),
                                        Optional.empty()),
                                Optional.empty())
                        .keys()
            };
        }
        NodeTls trust = new NodeTls(
                new TlsSettings(file("n1.pem"), file("n1.key"), Optional.of(file("ca.pem")), Optional.empty()), "n1");
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys, new TrustManager[] {trust.callers()}, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), Objects.requireNonNull(peerPorts.get("n1")))) {
            socket.setSoTimeout(10_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            // The first byte is that of the server's settings, or there is none.
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }
}
