package dev.holdfast.consensus;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Who a node is: a name that people chose, and the identity of its data directory.
 *
 * <p>The directory's part is made once, with the directory. A node that lost its directory is therefore a different
 * node: it must not vote again under an id whose votes and acknowledgements it has forgotten.
 */
public record NodeId(String name, UUID directory) implements Comparable<NodeId> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    public NodeId {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "node name: letters, digits, '.', '_' and '-', at most 63, was \"" + name + '"');
        }
    }

    /** Reads {@code name@directory}. */
    public static NodeId parse(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("node id: must be name@uuid, was \"" + text + '"');
        }
        return new NodeId(text.substring(0, at), UUID.fromString(text.substring(at + 1)));
    }

    /** A number for wire formats that need one; almost certainly different for different directories. */
    public long number() {
        return directory.getMostSignificantBits() ^ Long.rotateLeft(directory.getLeastSignificantBits(), 32);
    }

    @Override
    public int compareTo(NodeId other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return name + '@' + directory;
    }
}
