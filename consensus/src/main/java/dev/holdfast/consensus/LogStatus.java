package dev.holdfast.consensus;

import java.util.List;
import java.util.Map;

/**
 * What the log knows of itself and its members.
 *
 * @param description what kind of log this is, for people: {@code single node, not replicated}
 * @param applied index of the last entry applied here
 * @param snapshot index of the newest snapshot kept here, -1 for none
 * @param membersSince index of the entry that made the members what they are; out of reach while they change, and
 *     while this node does not vote yet although it is to
 * @param matched for a leader, how far each other member's log is known to agree; empty elsewhere
 * @param silentMillis for a leader, how long ago each other member answered last; empty elsewhere
 */
public record LogStatus(
        String description,
        Role role,
        long applied,
        long snapshot,
        List<Member> members,
        long membersSince,
        Map<NodeId, Long> matched,
        Map<NodeId, Long> silentMillis) {
    /** For {@code membersSince}: no log is that long. */
    public static final long CHANGING = Long.MAX_VALUE;

    public LogStatus {
        members = List.copyOf(members);
        matched = Map.copyOf(matched);
        silentMillis = Map.copyOf(silentMillis);
    }
}
