package dev.holdfast.server;

import dev.holdfast.server.access.Allowance;
import dev.holdfast.server.access.Gate;
import dev.holdfast.server.access.Members;
import dev.holdfast.server.access.Origins;
import dev.holdfast.server.access.Principal;
import dev.holdfast.server.settings.AddressSettings;
import dev.holdfast.server.settings.LimitSettings;
import dev.holdfast.server.settings.SecuritySettings;
import dev.holdfast.server.tls.FileWatch;
import dev.holdfast.server.tls.NodeTls;
import dev.holdfast.server.token.Tokens;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What protects a node: its certificates, the keys of its callers' tokens, and the gate that asks for both. */
final class Protection implements AutoCloseable {
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Optional<NodeTls> tls;
    private final Gate gate;
    private final LimitSettings limits;
    /** Until the node has a log it cannot tell, and does nothing for anybody but those it forms a cluster with. */
    private volatile Predicate<String> current = name -> false;

    private final FileWatch files = new FileWatch(LOOK);

    /**
     * Reads all files.
     *
     * @param name of the node
     * @throws IOException that names the file and what is wrong with it
     */
    Protection(SecuritySettings settings, AddressSettings addresses, String name) throws IOException {
        this.tls = settings.tls().isPresent()
                ? Optional.of(new NodeTls(settings.tls().get(), name))
                : Optional.empty();
        this.limits = settings.limits();
        Gate.Authenticator authenticator = authorization -> Principal.ANYBODY;
        if (settings.auth().isPresent()) {
            Tokens tokens = new Tokens(settings.auth().get(), Clock.systemUTC());
            files.add("the keys of tokens", tokens.files(), tokens::reload);
            authenticator = tokens;
        }
        tls.ifPresent(own -> files.add("certificates", own.files(), own::reload));
        boolean asksCallers = settings.auth().isPresent();
        this.gate = new Gate(
                authenticator,
                members(asksCallers),
                new Allowance(
                        limits.principalRate(),
                        limits.tenantRate(),
                        limits.watches(),
                        limits.tenantWatches(),
                        Allowance.REFUSALS),
                Origins.of(
                        addresses.client(),
                        addresses.clientAdvertised(),
                        tls.isPresent(),
                        settings.origins(),
                        !asksCallers));
    }

    /** Who asks clients who they are, but cannot ask members, has none. */
    private Members members(boolean asksCallers) {
        Optional<NodeTls> certificates = tls.filter(NodeTls::asksMembers);
        if (certificates.isPresent()) {
            return new Members() {
                @Override
                public Optional<String> at(@Nullable SSLSession session) {
                    return session == null
                            ? Optional.empty()
                            : certificates.get().memberAt(session);
                }

                @Override
                public boolean isCurrent(String name) {
                    return current.test(name);
                }
            };
        }
        return asksCallers ? Members.NONE : Members.UNPROVEN;
    }

    Optional<NodeTls> tls() {
        return tls;
    }

    Gate gate() {
        return gate;
    }

    LimitSettings limits() {
        return limits;
    }

    /** From now on the certificate of a node makes it an operator only if this says that it is a member. */
    void askMembers(Predicate<String> isMember) {
        current = isMember;
    }

    /** Follows changes of the files from now on. */
    void follow() {
        files.start();
    }

    @Override
    public void close() {
        files.close();
    }
}
