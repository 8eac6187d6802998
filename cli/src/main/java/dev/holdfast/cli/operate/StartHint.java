package dev.holdfast.cli.operate;

import dev.holdfast.protocol.v1.MemberInfo;
import dev.holdfast.server.settings.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * How to start a node that is to join.
 *
 * @param replaces id of the member whose place it takes; empty for none
 */
record StartHint(String name, boolean witness, String clientAddress, String peerAddress, String replaces) {

    List<String> lines(List<MemberInfo> members) {
        List<String> served = members.stream()
                .filter(member -> !member.getId().equals(replaces))
                .map(MemberInfo::getClientAddress)
                .filter(address -> !address.isEmpty())
                .toList();
        List<String> options = new ArrayList<>(List.of("--node-name=" + name, "--data-dir=/var/lib/holdfast"));
        if (witness) {
            options.add("--node-part=witness");
        } else {
            options.add("--client-address=" + clientAddress);
        }
        options.add("--peer-address=" + peerAddress);
        options.add("--cluster-join=" + String.join(",", served));
        if (!replaces.isEmpty()) {
            options.add("--cluster-replaces=" + replaces);
        }
        if (Stream.concat(served.stream(), Stream.of(peerAddress)).anyMatch(address -> !isLoopback(address))) {
            options.add("--insecure=true");
        }
        List<String> lines = new ArrayList<>(List.of(
                "Start the node with an empty data directory; the addresses are those the others reach it by:",
                "",
                "  holdfast server \\"));
        for (int i = 0; i < options.size(); i++) {
            lines.add("    " + options.get(i) + (i + 1 < options.size() ? " \\" : ""));
        }
        lines.add("");
        return lines;
    }

    private static boolean isLoopback(String address) {
        try {
            return HostPort.parse(address).isLoopback();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
