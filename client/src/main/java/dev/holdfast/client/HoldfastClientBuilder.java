package dev.holdfast.client;

import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.core.ClientHost;
import dev.holdfast.client.network.BearerToken;
import dev.holdfast.client.network.GrpcNetwork;
import dev.holdfast.client.network.Network;
import dev.holdfast.client.network.NetworkThread;
import dev.holdfast.client.session.CallbackPool;
import dev.holdfast.client.session.Identity;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.client.time.SystemTicks;
import dev.holdfast.client.time.ThreadTimers;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Settings of a client, each with a default. */
public final class HoldfastClientBuilder {
    private final List<String> endpoints;
    private Function<String, NettyChannelBuilder> connections =
            endpoint -> NettyChannelBuilder.forTarget(endpoint).usePlaintext();
    private @Nullable Function<String, ManagedChannel> channels;
    private String clientId = Identity.freshClientId();
    private Duration sessionTtl = Duration.ofSeconds(15);
    private Duration lockDelay = Duration.ZERO;
    private RetryPolicy retry = RetryPolicy.DEFAULT;
    private @Nullable Executor callbacks;
    private CallOptions options = CallOptions.DEFAULT;
    private SessionEvents events = SessionEvents.NONE;
    private @Nullable ClientHost host;

    HoldfastClientBuilder(String endpoints) {
        this.endpoints = Stream.of(endpoints.split(",", -1)).map(String::strip).toList();
        this.endpoints.forEach(HoldfastClientBuilder::check);
    }

    private static void check(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        boolean wellFormed = colon > 0 && endpoint.substring(colon + 1).matches("[0-9]{1,5}");
        if (!wellFormed || Integer.parseInt(endpoint.substring(colon + 1)) > 65_535) {
            throw new IllegalArgumentException(
                    "endpoints: '" + endpoint + "' is not host:port; give one or several, separated by commas");
        }
    }

    /**
     * Sets a readable name for this client. It must be unique; the default consists of host name, process id and a
     * random number.
     */
    public HoldfastClientBuilder clientId(String id) {
        clientId = id;
        return this;
    }

    /** Sets how long the cluster keeps this client's locks when it no longer hears from it; 15 s by default. */
    public HoldfastClientBuilder sessionTtl(Duration ttl) {
        if (ttl.toMillis() < 1) {
            throw new IllegalArgumentException("sessionTtl: must be at least 1 ms, is " + ttl);
        }
        sessionTtl = ttl;
        return this;
    }

    /**
     * Sets how long the keys stay locked if this client is lost while it holds them; by default they are free at once.
     */
    public HoldfastClientBuilder lockDelay(Duration delay) {
        lockDelay = delay;
        return this;
    }

    /** Sets how calls are retried while no node can carry them out. */
    public HoldfastClientBuilder retry(RetryPolicy policy) {
        retry = policy;
        return this;
    }

    /** Sets where callbacks run; by default on threads that the client starts as needed. */
    public HoldfastClientBuilder callbacks(Executor executor) {
        callbacks = executor;
        return this;
    }

    /** Sets the bearer token to authenticate with; the supplier is asked before each stream is opened. */
    public HoldfastClientBuilder token(Supplier<String> token) {
        options = options.withCallCredentials(new BearerToken(token));
        return this;
    }

    /** Sets the bearer token to authenticate with. */
    public HoldfastClientBuilder token(String token) {
        return token(() -> token);
    }

    /**
     * Encrypts, and trusts only servers with a certificate from these authorities.
     *
     * @param authorities a PEM file with certificates
     */
    public HoldfastClientBuilder tls(Path authorities) {
        return tls(GrpcSslContexts.forClient().trustManager(authorities.toFile()), authorities);
    }

    /**
     * Like {@link #tls(Path)}, and presents a client certificate.
     *
     * @param certificate a PEM file with the client's certificate chain
     * @param key a PKCS#8 PEM file with its key
     */
    public HoldfastClientBuilder tls(Path authorities, Path certificate, Path key) {
        return tls(
                GrpcSslContexts.forClient()
                        .trustManager(authorities.toFile())
                        .keyManager(certificate.toFile(), key.toFile()),
                authorities);
    }

    private HoldfastClientBuilder tls(SslContextBuilder settings, Path authorities) {
        try {
            SslContext context = settings.build();
            connections = endpoint -> NettyChannelBuilder.forTarget(endpoint).sslContext(context);
            return this;
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("tls: cannot use " + authorities + ": " + e.getMessage(), e);
        }
    }

    /** Records metrics of what the client does: waits, holds, losses, connections. */
    public HoldfastClientBuilder metrics(MeterRegistry registry) {
        events = new ClientMeters(registry);
        return this;
    }

    /** Sets how a connection to a node is made, for connections that the client does not support itself. */
    public HoldfastClientBuilder channels(Function<String, ManagedChannel> maker) {
        channels = maker;
        return this;
    }

    /**
     * Runs the client's session on other clocks, threads and network than this process's. This is for tests in virtual
     * time, so the types of a host are not exported; channels, TLS and tokens have no effect there.
     */
    @SuppressWarnings("exports")
    public HoldfastClientBuilder host(ClientHost elsewhere) {
        host = elsewhere;
        return this;
    }

    /** Creates the client. It connects when it is first used. */
    public HoldfastClient build() {
        SessionSettings settings = new SessionSettings(
                clientId, sessionTtl, lockDelay, retry.patience(), retry.firstPause(), retry.longestPause());
        ClientHost elsewhere = host;
        if (elsewhere != null) {
            ClientCore core = elsewhere.open(settings, callbacks, events);
            return new HoldfastClient(core, () -> elsewhere.close(core));
        }
        ThreadTimers timers = new ThreadTimers("holdfast-client-time");
        Function<String, ManagedChannel> maker = channels;
        Network network = maker == null
                ? new GrpcNetwork(new NetworkThread("holdfast-client-network"), connections, options)
                : new GrpcNetwork(maker, options);
        Executor given = callbacks;
        ThreadPoolExecutor own = CallbackPool.threads("holdfast-client-callback");
        Executor executor = given == null ? own : given;
        RandomGenerator random = new SecureRandom();
        Session session = new Session(
                settings,
                endpoints,
                network,
                new ElapsedClock(new SystemTicks()),
                timers,
                timers::execute,
                executor,
                random,
                events);
        return new HoldfastClient(new ClientCore(session), () -> {
            network.close();
            timers.close();
            own.shutdown();
        });
    }
}
