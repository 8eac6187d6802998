package dev.holdfast.server.settings.source;

import dev.holdfast.consensus.Member;
import dev.holdfast.server.settings.HostPort;
import dev.holdfast.server.settings.StaticMember;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code cluster.members}: every entry that is wrong is named, not only the first. */
final class MemberList {
    private static final String FORM = "name=client-host:port/peer-host:port[;region=…], or"
            + " name=/peer-host:port;witness[;region=…] for a witness, which serves no clients";

    private final List<String> problems = new ArrayList<>();

    private MemberList() {}

    static List<StaticMember> parse(String text) {
        MemberList list = new MemberList();
        List<StaticMember> members = new ArrayList<>();
        for (String entry : text.split(",", -1)) {
            list.member(entry.strip()).ifPresent(members::add);
        }
        list.checkTogether(members);
        if (!list.problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", list.problems));
        }
        return List.copyOf(members);
    }

    private Optional<StaticMember> member(String entry) {
        String[] parts = entry.split(";", -1);
        int equals = parts[0].indexOf('=');
        int slash = parts[0].indexOf('/', equals + 1);
        if (equals < 0 || slash < 0) {
            problems.add("entry " + Given.quoted(entry) + " must be " + FORM);
            return Optional.empty();
        }
        try {
            String name =
                    IdentityReader.checkedName(parts[0].substring(0, equals).strip());
            String client = parts[0].substring(equals + 1, slash).strip();
            HostPort peer = reachable(parts[0].substring(slash + 1).strip());
            String region = "";
            Member.Part part = Member.Part.VOTER;
            for (int i = 1; i < parts.length; i++) {
                String option = parts[i].strip();
                if (option.equals("witness")) {
                    part = Member.Part.WITNESS;
                } else if (option.startsWith("region=")) {
                    region = IdentityReader.checkedRegion(
                            option.substring("region=".length()).strip());
                } else {
                    throw new IllegalArgumentException("the options are region=… and witness, not " + option);
                }
            }
            if (client.isEmpty() != (part == Member.Part.WITNESS)) {
                throw new IllegalArgumentException("must be " + FORM);
            }
            Optional<HostPort> address = client.isEmpty() ? Optional.empty() : Optional.of(reachable(client));
            return Optional.of(new StaticMember(name, address, peer, region, part));
        } catch (IllegalArgumentException e) {
            problems.add("entry " + Given.quoted(entry) + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private void checkTogether(List<StaticMember> members) {
        Set<String> names = new HashSet<>();
        Set<HostPort> addresses = new HashSet<>();
        for (StaticMember member : members) {
            if (!names.add(member.name())) {
                problems.add("member " + member.name() + " is there twice");
            }
            List<HostPort> own = new ArrayList<>(member.clientAddress().stream().toList());
            own.add(member.peerAddress());
            for (HostPort address : own) {
                if (!addresses.add(address)) {
                    problems.add("address " + address + " is there twice");
                }
            }
        }
        if (problems.isEmpty() && members.stream().noneMatch(member -> member.part() == Member.Part.VOTER)) {
            problems.add("at least one member must not be a witness");
        }
    }

    private static HostPort reachable(String text) {
        HostPort address = HostPort.parse(text);
        if (address.isWildcard()) {
            throw new IllegalArgumentException(address + " is not an address that others can reach");
        }
        return address;
    }
}
