package dev.holdfast.cli.connect;

import dev.holdfast.cli.output.Logging;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastClientBuilder;
import dev.holdfast.client.RetryPolicy;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which cluster a command talks to and on whose behalf, and the ways to do so. */
public final class Connection {
    private static final String TOKEN_VARIABLE = "HOLDFAST_AUTH_TOKEN";
    private static final Pattern ADDRESS = Pattern.compile(".+:[0-9]{1,5}");

    @Option(
            names = {"-e", "--endpoints"},
            paramLabel = "HOST:PORT",
            split = ",",
            defaultValue = "${env:HOLDFAST_ENDPOINTS:-127.0.0.1:4600}",
            description = "client addresses of the cluster (default: $$HOLDFAST_ENDPOINTS, else 127.0.0.1:4600)")
    private List<String> addresses = List.of();

    @Option(
            names = "--auth-token-file",
            paramLabel = "FILE",
            description = "a file with the token to authenticate with (default: the token in $$" + TOKEN_VARIABLE + ")")
    private @Nullable Path tokenFile;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            defaultValue = "${env:HOLDFAST_CACERT}",
            description = "encrypt, and trust servers with a certificate from these authorities, a PEM file (default: "
                    + "$$HOLDFAST_CACERT)")
    private @Nullable Path authorities;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "how long to look for a node that answers (default: 10s)")
    private Duration timeout = Duration.ofSeconds(10);

    public List<String> addresses() {
        for (String address : addresses) {
            if (!ADDRESS.matcher(address).matches()) {
                throw new IllegalArgumentException(
                        "--endpoints: '" + address + "' is not host:port; give one or several, separated by commas");
            }
        }
        return addresses;
    }

    public Duration timeout() {
        return timeout;
    }

    /** Whether what is said to the nodes is encrypted. */
    public boolean encrypts() {
        Path file = authorities;
        return file != null && !file.toString().isEmpty();
    }

    /** A client that is ready to connect; more can be set. */
    public HoldfastClientBuilder client() {
        Logging.errorsOnly();
        ChannelCredentials credentials = credentials();
        HoldfastClientBuilder builder = HoldfastClient.builder(String.join(",", addresses()))
                .channels(address -> Channels.open(address, credentials))
                .retry(RetryPolicy.DEFAULT.patience(timeout));
        token().ifPresent(builder::token);
        return builder;
    }

    /** The nodes, for single questions. */
    public Nodes nodes() {
        Logging.errorsOnly();
        return new Nodes(addresses(), timeout, credentials(), token());
    }

    private ChannelCredentials credentials() {
        Path file = authorities;
        if (file == null || !encrypts()) {
            return InsecureChannelCredentials.create();
        }
        try {
            return TlsChannelCredentials.newBuilder()
                    .trustManager(file.toFile())
                    .build();
        } catch (IOException e) {
            throw new IllegalArgumentException("--cacert: cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Never an option's value: others on this machine can read command lines. */
    private Optional<String> token() {
        Path file = tokenFile;
        if (file == null) {
            return Optional.ofNullable(System.getenv(TOKEN_VARIABLE)).filter(token -> !token.isBlank());
        }
        try {
            String token = Files.readString(file).strip();
            if (token.isEmpty()) {
                throw new IllegalArgumentException("--auth-token-file: " + file + " is empty");
            }
            return Optional.of(token);
        } catch (IOException e) {
            throw new IllegalArgumentException("--auth-token-file: cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
