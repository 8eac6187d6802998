package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.NodeId;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.Context;
import org.apache.ratis.thirdparty.io.grpc.Contexts;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import org.jspecify.annotations.Nullable;

/**
 * Holds each call on the peer port to the certificate it came under: who speaks for a member must have shown the
 * certificate of that member. Without TLS everybody is believed.
 */
final class PeerCertificates implements ServerInterceptor, GrpcServices.Customizer {
    private static final String PARAMETER = "holdfast.peer-certificates";
    private static final Context.Key<String> CALLER = Context.key("holdfast-member");

    private final Optional<PeerTls> tls;

    PeerCertificates(Optional<PeerTls> tls) {
        this.tls = tls;
    }

    /** Tells the transport. */
    void addTo(Parameters parameters) {
        parameters.put(PARAMETER, this, PeerCertificates.class);
        tls.ifPresent(given -> {
            GrpcConfigKeys.TLS.setConf(
                    parameters,
                    GrpcTlsConfig.newBuilder()
                            .setKeyManager(given.keys())
                            .setTrustManager(given.trust())
                            .setMutualTls(true)
                            .setSslProvider(SslProvider.JDK) // asks the managers anew at each handshake
                            .build());
            GrpcConfigKeys.Server.setServicesCustomizer(parameters, this);
        });
    }

    static PeerCertificates of(Parameters parameters) {
        return parameters.getNonNull(PARAMETER, PeerCertificates.class);
    }

    @Override
    public NettyServerBuilder customize(NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        return builder.intercept(this);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        String name = name(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        return Contexts.interceptCall(Context.current().withValue(CALLER, name), call, headers, next);
    }

    private String name(@Nullable SSLSession session) {
        try {
            if (session != null && session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
                return tls.flatMap(given -> given.memberName().apply(certificate))
                        .orElse("");
            }
        } catch (SSLPeerUnverifiedException e) {
            return ""; // nobody, then
        }
        return "";
    }

    /** Refuses a request in the name of another. */
    void check(RaftRpcRequestProto request) throws IOException {
        if (tls.isEmpty()) {
            return;
        }
        NodeId claimed = Peers.id(RaftPeerId.valueOf(request.getRequestorId()));
        String shown = CALLER.get();
        if (!claimed.name().equals(shown)) {
            throw new IOException("a request in the name of " + claimed + " came with the certificate of "
                    + (shown == null || shown.isEmpty() ? "no member" : shown));
        }
    }
}
