package dev.holdfast.server.settings.source;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.NodeId;
import dev.holdfast.server.settings.ClusterSettings;
import dev.holdfast.server.settings.IdentitySettings;
import dev.holdfast.server.settings.StaticMember;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads who a node is, which must agree with what the list of members says of it. */
final class IdentityReader {
    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9._-]{1,63}");
    private static final UUID ANY = new UUID(0, 0);

    private IdentityReader() {}

    static IdentitySettings read(Values values, ClusterSettings cluster) {
        String name =
                values.read(Setting.NODE_NAME, IdentityReader::checkedName).orElse("");
        Path directory = values.read(Setting.DATA_DIR, IdentityReader::path).orElse(Path.of(""));
        Optional<StaticMember> listed = cluster.member(name);
        if (!cluster.members().isEmpty() && listed.isEmpty() && values.isSound(Setting.NODE_NAME)) {
            values.refuse(Setting.NODE_NAME, "must be one of those in cluster.members, which are " + names(cluster));
        }
        return new IdentitySettings(name, region(values, listed), part(values, cluster, listed), directory);
    }

    /** The list and the node's own settings may both say it, but not different things. */
    private static String region(Values values, Optional<StaticMember> listed) {
        String listedRegion = listed.map(StaticMember::region).orElse("");
        if (!listedRegion.isEmpty()) {
            values.derive(Setting.NODE_REGION, listedRegion, Setting.CLUSTER_MEMBERS);
        }
        String region =
                values.read(Setting.NODE_REGION, IdentityReader::checkedRegion).orElse("");
        if (!listedRegion.isEmpty() && values.isSound(Setting.NODE_REGION) && !region.equals(listedRegion)) {
            values.refuse(Setting.NODE_REGION, "must be as in cluster.members: " + Given.quoted(listedRegion));
        }
        return region;
    }

    private static Member.Part part(Values values, ClusterSettings cluster, Optional<StaticMember> listed) {
        listed.ifPresent(
                member -> values.derive(Setting.NODE_PART, Notation.word(member.part()), Setting.CLUSTER_MEMBERS));
        Member.Part part = values.read(Setting.NODE_PART, text -> Notation.read(text, Member.Part.values()))
                .orElse(Member.Part.VOTER);
        if (!values.isSound(Setting.NODE_PART)) {
            return part;
        }
        if (listed.isPresent() && part != listed.get().part()) {
            values.refuse(
                    Setting.NODE_PART,
                    "must be as in cluster.members: "
                            + Notation.word(listed.get().part()));
        } else if (cluster.mode() == ClusterSettings.Mode.SINGLE && part != Member.Part.VOTER) {
            values.refuse(Setting.NODE_PART, "must be voter without cluster.members and cluster.join: it is alone");
        }
        return part;
    }

    static String checkedName(String text) {
        return new NodeId(text, ANY).name();
    }

    static String checkedNameOrId(String text) {
        if (text.indexOf('@') < 0) {
            return checkedName(text);
        }
        return NodeId.parse(text).toString();
    }

    static String checkedRegion(String text) {
        if (!REGION.matcher(text).matches()) {
            throw new IllegalArgumentException("region: must be letters, digits, '.', '_' and '-', at most 63");
        }
        return text;
    }

    static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("must be a path: " + e.getReason(), e);
        }
    }

    private static String names(ClusterSettings cluster) {
        return cluster.members().stream().map(StaticMember::name).collect(Collectors.joining(", "));
    }
}
