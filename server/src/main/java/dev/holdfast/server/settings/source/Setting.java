package dev.holdfast.server.settings.source;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every settings key, with its default and what is allowed. */
public enum Setting {
    NODE_NAME("node.name", null, "the node's name in the cluster: letters, digits, '.', '_', '-', at most 63"),
    NODE_REGION("node.region", "", "the node's failure domain: a region, a zone, a rack"),
    NODE_PART("node.part", "voter", "voter, witness or learner"),
    DATA_DIR("data.dir", null, "the directory that keeps the node's log and identity"),
    CLIENT_ADDRESS("client.address", "127.0.0.1:4600", "host:port to serve clients on; unused by a witness"),
    CLIENT_ADVERTISE(
            "client.advertise",
            "",
            "host:port where clients reach this node (default: as in cluster.members, else client.address)"),
    PEER_ADDRESS("peer.address", "127.0.0.1:4601", "host:port to serve the other nodes on"),
    PEER_ADVERTISE(
            "peer.advertise",
            "",
            "host:port where the other nodes reach this node (default: as in cluster.members, else peer.address)"),
    CLUSTER_MEMBERS(
            "cluster.members",
            "",
            "the members at first start: n1=client:4600/peer:4601;region=eu, w=/peer:4601;witness"),
    CLUSTER_JOIN("cluster.join", "", "client addresses of a cluster to join: host:port, host:port"),
    CLUSTER_REPLACES("cluster.replaces", "", "name or name@uuid of the member that a joining node replaces"),
    ELECTION_PROFILE("election.profile", "default", "default (1000 to 2000 ms) or fast (300 to 600 ms)"),
    ELECTION_MIN(
            "election.min",
            "",
            "shortest time without a leader before an election, in ms (default: as in election.profile)"),
    ELECTION_MAX(
            "election.max",
            "",
            "longest time without a leader before an election, in ms (default: as in election.profile)"),
    SNAPSHOT_AFTER_BYTES("snapshot.after.bytes", "64MB", "take a snapshot after this many bytes of log"),
    LOG_FORMAT("log.format", "text", "how the node's own messages are written: text or json"),
    TLS_CERTIFICATE("tls.certificate", "", "PEM file with the node's certificate chain: turns TLS on, on both ports"),
    TLS_KEY("tls.key", "", "PEM file with the key of that certificate, without a password"),
    TLS_CA("tls.ca", "", "PEM file with the authority that signs members' certificates; needed in a cluster with TLS"),
    TLS_CLIENT_CA(
            "tls.client.ca",
            "",
            "PEM file with the authority whose certificates clients must show; empty: none is " + "required"),
    AUTH_KEYS(
            "auth.keys",
            "",
            "file with the keys that tokens are checked with: a JWK set, a public key in PEM form, " + "or a secret"),
    AUTH_AUDIENCE("auth.audience", "holdfast", "the audience a token must name (aud)"),
    AUTH_ISSUER("auth.issuer", "", "the issuer a token must name (iss); empty: any"),
    LIMIT_RATE("limit.rate", "0", "requests per second from one caller; 0: no limit"),
    LIMIT_RATE_TENANT("limit.rate.tenant", "0", "requests per second from all callers of one tenant; 0: no limit"),
    LIMIT_CONNECTIONS("limit.connections", "20000", "maximum open connections on the client port"),
    LIMIT_STREAMS("limit.streams", "10000", "maximum open calls and streams on one connection"),
    LIMIT_WATCHES("limit.watches", "10000", "maximum open watches of one caller on this node"),
    LIMIT_WATCHES_TENANT(
            "limit.watches.tenant", "20000", "maximum open watches of all callers of one tenant on this " + "node"),
    LIMIT_UNREAD(
            "limit.unread",
            "",
            "bytes kept for clients that do not read them, a quarter of it for one caller (default: an eighth of the heap, at most 256MB)"),
    WEB_ORIGINS(
            "web.origins",
            "",
            "web sites whose pages may call this node, such as https://locks.example.com; empty: only the node's own"),
    INSECURE("insecure", "false", "true or false: allow addresses other than loopback without TLS and authentication");

    private static final String VARIABLE_PREFIX = "HOLDFAST_";

    private final String key;
    private final @Nullable String byDefault;
    private final String meaning;

    Setting(String key, @Nullable String byDefault, String meaning) {
        this.key = key;
        this.byDefault = byDefault;
        this.meaning = meaning;
    }

    public String key() {
        return key;
    }

    /**
     * The default as written in a file; an empty text means that nothing is set, an absent one that a value must be
     * given.
     */
    public Optional<String> byDefault() {
        return Optional.ofNullable(byDefault);
    }

    /** For the help text. */
    public String meaning() {
        return meaning;
    }

    /** The environment variable: {@code HOLDFAST_CLIENT_ADDRESS} for {@code client.address}. */
    public String variable() {
        return VARIABLE_PREFIX + key.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    static boolean isVariable(String name) {
        return name.startsWith(VARIABLE_PREFIX);
    }

    static Optional<Setting> ofKey(String key) {
        return Stream.of(values()).filter(setting -> setting.key.equals(key)).findFirst();
    }

    static Optional<Setting> ofVariable(String name) {
        return Stream.of(values())
                .filter(setting -> setting.variable().equals(name))
                .findFirst();
    }
}
