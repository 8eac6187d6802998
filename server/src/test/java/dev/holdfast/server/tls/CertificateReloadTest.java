package dev.holdfast.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceBlockingStub;
import dev.holdfast.protocol.v1.LockServiceGrpc.LockServiceStub;
import dev.holdfast.protocol.v1.WatchRequest;
import dev.holdfast.protocol.v1.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A certificate is replaced while clients and members use it. */
@Tag("slow")
@Timeout(240)
class CertificateReloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path root;

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(FileWatch.class);
    private final Queue<WatchResponse> watched = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    @Test
    void new_connections_see_the_new_certificate_and_old_ones_go_on() throws Exception {
        try (SecureNodes nodes = new SecureNodes(root).form(List.of("n1", "n2", "n3"))) {
            LockServiceBlockingStub locks = nodes.client("n1", "", LockServiceBlockingStub.class);
            StreamObserver<WatchRequest> watch = watch(nodes.client("n1", "", LockServiceStub.class));
            lockAndSee(locks, "before");
            SSLSocket peer = SecureNodes.connect(nodes.peerPort("n1"), "n2");
            assertThat(PeerFrames.answers(peer)).isTrue();
            assertThat(shown(nodes.clientPort("n1"))).isEqualTo("CN=n1");
            assertThat(shown(nodes.peerPort("n1"))).isEqualTo("CN=n1");

            Files.writeString(nodes.certificate("n1"), "half a certif");
            await().atMost(PATIENCE)
                    .until(() -> logged.list.stream()
                            .anyMatch(event -> event.getLevel() == Level.ERROR
                                    && event.getFormattedMessage().contains("so the old ones stay")
                                    && event.getFormattedMessage()
                                            .contains(nodes.certificate("n1").toString())));
            assertThat(shown(nodes.clientPort("n1"))).isEqualTo("CN=n1");
            assertThat(shown(nodes.peerPort("n1"))).isEqualTo("CN=n1");

            nodes.show("n1", "n1-later");
            await().atMost(PATIENCE).until(() -> shown(nodes.clientPort("n1")).equals("CN=n1 later"));
            assertThat(shown(nodes.peerPort("n1"))).isEqualTo("CN=n1 later");

            lockAndSee(locks, "after");
            assertThat(PeerFrames.answers(peer)).isTrue();
            peer.close();
            watch.onCompleted();
        }
    }

    /** Whose certificate a port shows to a member that connects now. */
    private static String shown(int port) throws Exception {
        try (SSLSocket socket = SecureNodes.connect(port, "n2")) {
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }

    private StreamObserver<WatchRequest> watch(LockServiceStub locks) {
        StreamObserver<WatchRequest> watch = locks.watch(new StreamObserver<>() {
            @Override
            public void onNext(WatchResponse response) {
                watched.add(response);
            }

            @Override
            public void onError(Throwable failure) {} // nothing more is seen then

            @Override
            public void onCompleted() {}
        });
        watch.onNext(
                WatchRequest.newBuilder().setPrefix(true).setAllEvents(true).build());
        await().until(() -> !watched.isEmpty());
        return watch;
    }

    private void lockAndSee(LockServiceBlockingStub locks, String key) {
        long lease = locks.leaseGrant(LeaseGrantRequest.newBuilder().setTtl(60).build())
                .getId();
        assertThat(locks.lock(LockRequest.newBuilder()
                                .setName(key)
                                .setLeaseId(lease)
                                .build())
                        .getAcquired())
                .isTrue();
        await().until(() -> watched.stream()
                .flatMap(response -> response.getEventsList().stream())
                .anyMatch(event -> event.getKv().getKey().equals(key)));
    }
}
