package dev.holdfast.server.settings.source;

import static dev.holdfast.server.settings.source.Reading.problems;
import static dev.holdfast.server.settings.source.Reading.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityReaderTest {
    private static final String[] TLS = {"tls.certificate", "n1.pem", "tls.key", "n1.key"};
    private static final String[] CA = {"tls.ca", "ca.pem"};
    private static final String[] AUTH = {"auth.keys", "keys.json"};
    private static final String[] EVERYWHERE = {"client.address", "10.0.0.1:4600", "peer.address", "10.0.0.1:4601"};
    private static final String[] CLUSTER = {"cluster.members", "n1=10.0.0.1:4600/10.0.0.1:4601"};

    private static String[] all(String[]... parts) {
        List<String> all = new ArrayList<>();
        for (String[] part : parts) {
            all.addAll(List.of(part));
        }
        return all.toArray(String[]::new);
    }

    @Test
    void with_certificates_and_tokens_a_cluster_may_be_reached_from_anywhere() {
        assertThat(problems(all(EVERYWHERE, CLUSTER, TLS, CA, AUTH))).isEmpty();
    }

    @Test
    void neither_certificates_nor_tokens_alone_are_enough_off_loopback() {
        assertThat(problems(all(EVERYWHERE, CLUSTER, TLS, CA)))
                .singleElement()
                .asString()
                .startsWith("client.address")
                .contains("auth.keys");
        assertThat(problems(all(EVERYWHERE, AUTH)))
                .anySatisfy(problem ->
                        assertThat(problem).startsWith("client.address").contains("tls.certificate"));
    }

    @Test
    void tokens_in_a_cluster_need_members_that_are_known() {
        assertThat(problems(all(new String[] {"cluster.members", "n1=127.0.0.1:1/127.0.0.1:2"}, AUTH)))
                .singleElement()
                .asString()
                .startsWith("auth.keys")
                .contains("tls.ca");
        assertThat(problems(AUTH)).isEmpty();
    }

    @Test
    void certificates_in_a_cluster_need_the_authority_of_members() {
        assertThat(problems(all(new String[] {"cluster.members", "n1=127.0.0.1:1/127.0.0.1:2"}, TLS)))
                .singleElement()
                .asString()
                .startsWith("tls.certificate")
                .contains("tls.ca");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls.certificate", "tls.key", "tls.ca", "tls.client.ca"})
    void half_of_what_tls_needs_is_refused(String key) {
        assertThat(problems(key, "some.pem"))
                .containsExactly(key + " = \"some.pem\" (flag): needs tls.certificate and tls.key, both");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "ten", "10000001", "99999999999"})
    void a_limit_is_a_number_within_bounds(String text) {
        assertThat(problems("limit.rate", text))
                .containsExactly("limit.rate = \"" + text + "\" (flag): must be a number from 0 to 10000000");
    }

    @Test
    void an_issuer_without_keys_is_refused() {
        assertThat(problems("auth.issuer", "me")).singleElement().asString().contains("needs auth.keys");
    }

    @Test
    void origins_are_web_sites_as_browsers_write_them() {
        assertThat(read("web.origins", "https://example.com, http://localhost:3000,https://[::1]:8443")
                        .security()
                        .origins())
                .containsExactlyInAnyOrder("https://example.com", "http://localhost:3000", "https://[::1]:8443");
        assertThat(read().security().origins()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "example.com",
                "https://example.com/",
                "https://Example.com",
                "https://example.com:443",
                "http://example.com:80",
                "https://example.com, ",
                "https://*.example.com"
            })
    void what_no_browser_would_send_is_refused(String origin) {
        assertThat(problems("web.origins", origin))
                .singleElement()
                .asString()
                .contains("web.origins", "https://example.com");
    }
}
