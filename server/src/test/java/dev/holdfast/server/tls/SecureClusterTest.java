package dev.holdfast.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

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
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes that know each other by certificates, and those who would like to be taken for one. */
@Tag("slow")
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecureClusterTest {
    private static final List<String> NAMES = List.of("n1", "n2", "n3");

    private SecureNodes nodes;

    @SuppressWarnings("NullAway.Init")
    SecureClusterTest() {}

    @BeforeAll
    void start(@TempDir Path root) throws Exception {
        nodes = new SecureNodes(root).form(NAMES);
    }

    @AfterAll
    void stop() {
        nodes.close();
    }

    private static Code codeOf(Throwable failure) {
        return Errors.of(failure).map(Error::getCode).orElse(Code.OK);
    }

    @Test
    void a_lock_asked_of_any_node_is_granted() {
        for (String name : NAMES) {
            LockServiceBlockingStub locks = nodes.client(name, "", LockServiceBlockingStub.class);
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
            assertThat(nodes.client(name, "", AdminBlockingStub.class)
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
            PeerBlockingStub peer = nodes.client("n1", certificate, PeerBlockingStub.class);
            assertThat(codeOf(catchThrowable(() -> peer.ping(ping)))).isEqualTo(Code.PERMISSION_DENIED);
        }
    }

    @Test
    void a_member_speaks_for_itself_alone() {
        PeerBlockingStub peer = nodes.client("n1", "n2", PeerBlockingStub.class);
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
        for (int port : List.of(nodes.clientPort("n1"), nodes.peerPort("n1"))) {
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
        try (SSLSocket socket = SecureNodes.connect(nodes.peerPort("n1"), certificate)) {
            return PeerFrames.answers(socket);
        } catch (IOException e) {
            return false;
        }
    }
}
