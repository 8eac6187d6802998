package dev.holdfast.server.settings.source;

import dev.holdfast.consensus.Member;
import dev.holdfast.server.settings.AddressSettings;
import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.IdentitySettings;
import dev.holdfast.server.settings.SecuritySettings;
import dev.holdfast.server.settings.StaticMember;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads addresses, and refuses those that others could reach although nothing protects them. */
final class AddressReader {
    private static final HostPort UNREADABLE = new HostPort("localhost", 1);
    private static final String CLIENTS_UNPROTECTED = "must be loopback (127.0.0.1, localhost or [::1]) without "
            + "tls.certificate, tls.key and auth.keys, because anyone who reaches the port could take any lock; or "
            + "give insecure = true";
    private static final String MEMBERS_UNPROTECTED = "must be loopback (127.0.0.1, localhost or [::1]) without "
            + "tls.certificate, tls.key and tls.ca, because anyone who reaches the port could take part in the log; or "
            + "give insecure = true";

    private AddressReader() {}

    static AddressSettings read(
            Values values, ClusterSettings cluster, IdentitySettings identity, SecuritySettings security) {
        boolean insecure = values.read(Setting.INSECURE, Notation::readBoolean).orElse(false);
        Optional<StaticMember> listed = cluster.member(identity.name());
        HostPort client = read(values, Setting.CLIENT_ADDRESS);
        HostPort peer = read(values, Setting.PEER_ADDRESS);
        boolean servesClients = identity.part() != Member.Part.WITNESS;
        HostPort clientAdvertised = client;
        if (servesClients) {
            clientAdvertised = advertised(
                    values,
                    Setting.CLIENT_ADVERTISE,
                    Setting.CLIENT_ADDRESS,
                    listed.flatMap(StaticMember::clientAddress),
                    cluster);
            refuseOneAddressForTwo(values, client, peer);
        }
        HostPort peerAdvertised = advertised(
                values, Setting.PEER_ADVERTISE, Setting.PEER_ADDRESS, listed.map(StaticMember::peerAddress), cluster);
        if (!insecure && values.isSound(Setting.INSECURE)) {
            refuseUnprotected(values, security, servesClients, client, clientAdvertised);
            if (!security.protectsMembers()) {
                refuseUnlessLoopback(values, Setting.PEER_ADDRESS, List.of(peer), MEMBERS_UNPROTECTED);
                refuseUnlessLoopback(values, Setting.PEER_ADVERTISE, List.of(peerAdvertised), MEMBERS_UNPROTECTED);
                refuseUnlessLoopback(
                        values, Setting.CLUSTER_MEMBERS, addressesOf(cluster.members()), MEMBERS_UNPROTECTED);
                refuseUnlessLoopback(values, Setting.CLUSTER_JOIN, cluster.join(), MEMBERS_UNPROTECTED);
            }
        }
        return new AddressSettings(client, clientAdvertised, peer, peerAdvertised, insecure);
    }

    private static void refuseUnprotected(
            Values values, SecuritySettings security, boolean serves, HostPort client, HostPort advertised) {
        if (serves && !security.protectsClients()) {
            refuseUnlessLoopback(values, Setting.CLIENT_ADDRESS, List.of(client), CLIENTS_UNPROTECTED);
            refuseUnlessLoopback(values, Setting.CLIENT_ADVERTISE, List.of(advertised), CLIENTS_UNPROTECTED);
        }
    }

    private static HostPort read(Values values, Setting setting) {
        return values.read(setting, HostPort::parse).orElse(UNREADABLE);
    }

    /** What was given, else what the list of members says of this node, else the address it listens on. */
    private static HostPort advertised(
            Values values, Setting setting, Setting bound, Optional<HostPort> listed, ClusterSettings cluster) {
        Setting source = listed.isPresent() ? Setting.CLUSTER_MEMBERS : bound;
        values.derive(
                setting,
                listed.map(HostPort::toString).orElse(values.inForce(bound).text()),
                source);
        // Where it only repeats a bad address, that one has been reported already.
        HostPort advertised = values.isGiven(setting) || values.isSound(source) ? read(values, setting) : UNREADABLE;
        if (!values.isSound(setting)) {
            return advertised;
        }
        if (listed.isPresent() && !advertised.equals(listed.get())) {
            values.refuse(setting, "must be as in cluster.members: " + listed.get());
        } else if (advertised.isWildcard() && values.isGiven(setting)) {
            values.refuse(setting, "must be an address that others can reach");
        } else if (advertised.isWildcard() && cluster.mode() != ClusterSettings.Mode.SINGLE) {
            values.refuse(bound, "needs " + setting.key() + " beside it: the address where others reach this node");
        }
        return advertised;
    }

    private static void refuseOneAddressForTwo(Values values, HostPort client, HostPort peer) {
        boolean sameHost = client.host().equals(peer.host()) || client.isWildcard() || peer.isWildcard();
        if (values.isSound(Setting.CLIENT_ADDRESS, Setting.PEER_ADDRESS) && sameHost && client.port() == peer.port()) {
            values.refuse(Setting.PEER_ADDRESS, "must differ from client.address, which is " + client);
        }
    }

    private static void refuseUnlessLoopback(
            Values values, Setting setting, Collection<HostPort> addresses, String why) {
        // What was derived is refused where it comes from.
        boolean own = values.isGiven(setting);
        if (own && values.isSound(setting) && !addresses.stream().allMatch(HostPort::isLoopback)) {
            values.refuse(setting, why);
        }
    }

    private static List<HostPort> addressesOf(List<StaticMember> members) {
        return members.stream()
                .flatMap(member -> Stream.concat(member.clientAddress().stream(), Stream.of(member.peerAddress())))
                .toList();
    }
}
