package dev.holdfast.server.tls;

import static dev.holdfast.server.tls.TlsFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.server.settings.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeTlsTest {
    @TempDir
    Path directory;

    private Path certificate;
    private Path key;

    @BeforeEach
    void files() throws IOException {
        certificate = directory.resolve("node.pem");
        key = directory.resolve("node.key");
        give("n1");
    }

    private void give(String name) throws IOException {
        Files.copy(file(name + ".pem"), certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(file(name + ".key"), key, StandardCopyOption.REPLACE_EXISTING);
    }

    private NodeTls tls(String authority) throws IOException {
        return new NodeTls(new TlsSettings(certificate, key, Optional.of(file(authority)), Optional.empty()), "n1");
    }

    private static X509Certificate[] chain(String name) throws Exception {
        try (InputStream in = Files.newInputStream(file(name + ".pem"))) {
            return new X509Certificate[] {
                (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in)
            };
        }
    }

    private static String shown(NodeTls tls) {
        X509Certificate[] chain = tls.keys().getCertificateChain("node");
        return chain == null ? "" : chain[0].getSubjectX500Principal().getName();
    }

    @Test
    void a_certificate_must_carry_the_name_of_its_node() throws IOException {
        assertThat(shown(tls("ca.pem"))).isEqualTo("CN=n1");
        give("n2");
        assertThatThrownBy(() -> tls("ca.pem"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(certificate.toString())
                .hasMessageContaining("URI:holdfast://member/n1");
        give("client");
        assertThatThrownBy(() -> tls("ca.pem")).hasMessageContaining("URI:holdfast://member/n1");
    }

    @Test
    void a_certificate_that_members_would_not_believe_is_refused_at_once() {
        assertThatThrownBy(() -> tls("other-ca.pem")).hasMessageContaining("tls.ca");
    }

    @Test
    void a_key_of_another_certificate_is_refused() throws IOException {
        Files.copy(file("n2.key"), key, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> tls("ca.pem")).hasMessageContaining("is not the key of");
    }

    @Test
    void files_that_are_missing_or_something_else_are_named() throws IOException {
        Files.delete(key);
        assertThatThrownBy(() -> tls("ca.pem")).hasMessageContaining(key + ": does not exist");
        Files.writeString(key, "not a key");
        assertThatThrownBy(() -> tls("ca.pem")).hasMessageContaining("in PEM form");
        assertThatThrownBy(() -> tls("make.sh")).isInstanceOf(IOException.class);
    }

    @Test
    void only_members_of_the_authority_are_believed_as_members() throws Exception {
        NodeTls tls = tls("ca.pem");
        assertThatCode(() -> tls.members().checkClientTrusted(chain("n2"), "UNKNOWN"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> tls.members().checkClientTrusted(chain("forged-n2"), "UNKNOWN"))
                .isInstanceOf(CertificateException.class);
        assertThatThrownBy(() -> tls.members().checkClientTrusted(chain("client"), "UNKNOWN"))
                .hasMessageContaining("is not a member's");
        // A client may show it, and be nobody in particular.
        assertThatCode(() -> tls.callers().checkClientTrusted(chain("client"), "UNKNOWN"))
                .doesNotThrowAnyException();
    }

    @Test
    void what_is_read_again_counts_from_the_next_handshake_and_what_cannot_be_used_changes_nothing() throws Exception {
        NodeTls tls = tls("ca.pem");
        AtomicInteger reloads = new AtomicInteger();
        try (FileWatch watch = new FileWatch(Duration.ofMillis(20))) {
            watch.add("certificates", tls.files(), () -> {
                reloads.incrementAndGet();
                tls.reload();
            });
            watch.start();
            Files.writeString(certificate, "half a certif");
            await().until(() -> reloads.get() > 0);
            assertThat(shown(tls)).isEqualTo("CN=n1");
            give("n1-later");
            await().until(() -> shown(tls).equals("CN=n1 later"));
        }
    }

    @Test
    void files_that_stay_as_they_are_are_not_read_again() throws Exception {
        AtomicInteger reloads = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        Path other = Files.writeString(directory.resolve("other"), "1");
        try (FileWatch watch = new FileWatch(Duration.ofMillis(10))) {
            watch.add("certificates", List.of(certificate), reloads::incrementAndGet);
            watch.add("others", List.of(other), others::incrementAndGet);
            watch.start();
            Files.writeString(other, "22");
            await().until(() -> others.get() == 1);
            Files.writeString(other, "333");
            await().until(() -> others.get() == 2);
        }
        assertThat(reloads).hasValue(0);
    }
}
