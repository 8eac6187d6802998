package dev.holdfast.server.settings;

import dev.holdfast.consensus.Member;
import java.util.Optional;

/**
 * One member as {@code cluster.members} names it, before any data directory has given it an identity.
 *
 * @param clientAddress empty for a witness, which serves no clients
 */
public record StaticMember(
        String name, Optional<HostPort> clientAddress, HostPort peerAddress, String region, Member.Part part) {

    /** The form it is read from. */
    @Override
    public String toString() {
        return name
                + '='
                + clientAddress.map(HostPort::toString).orElse("")
                + '/'
                + peerAddress
                + (region.isEmpty() ? "" : ";region=" + region)
                + (part == Member.Part.WITNESS ? ";witness" : "");
    }
}
