package dev.holdfast.cli.inspect;

import dev.holdfast.cli.output.Table;
import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.stored.StoredLog;
import dev.holdfast.consensus.stored.StoredSegment;
import dev.holdfast.consensus.stored.StoredSegment.Damage;
import dev.holdfast.consensus.stored.StoredSnapshot;
import dev.holdfast.server.StoppedNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** What was found in a directory, ready to be shown. */
record Inspection(StoppedNode node, EntryRange entries, List<String> unreadable) {
    Inspection {
        unreadable = List.copyOf(unreadable);
    }

    boolean isDamaged() {
        return !unreadable.isEmpty() || node.log().map(StoredLog::isDamaged).orElse(false);
    }

    /** Everything that is wrong, a sentence each. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        node.log().ifPresent(log -> {
            problems.addAll(log.problems());
            for (StoredSnapshot snapshot : log.snapshots()) {
                snapshot.damage().ifPresent(problems::add);
            }
            for (StoredSegment segment : log.segments()) {
                segment.damage()
                        .filter(damage -> !damage.torn())
                        .ifPresent(damage -> problems.add(segment.file() + " is damaged at offset " + damage.offset()
                                + ", behind entry " + segment.lastIndex() + ": " + damage.what()));
            }
        });
        problems.addAll(unreadable);
        return problems;
    }

    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("node", node.identity().id().toString());
        facts.put(
                "cluster",
                node.identity().cluster().map(UUID::toString).orElse("none yet: the node never finished a start"));
        node.log().ifPresent(log -> {
            facts.put("log", log.engine().equals("disk") ? "disk (single node, not replicated)" : "ratis (replicated)");
            facts.put(
                    "term",
                    log.term()
                            + log.votedFor().map(vote -> ", voted for " + vote).orElse(""));
            if (!log.members().isEmpty()) {
                facts.put(
                        "members", log.members().stream().map(Inspection::words).collect(Collectors.joining(", ")));
            }
            log.committed().ifPresent(index -> facts.put("committed", "at least up to entry " + index));
        });
        return facts;
    }

    private static String words(Member member) {
        String part = member.part().name().toLowerCase(Locale.ROOT);
        return member.id().name() + " (" + part + ", " + member.peerAddress() + ")";
    }

    Table snapshots() {
        Table table = new Table("SNAPSHOT AFTER", "TERM", "BYTES", "FILE", "STATE");
        node.log()
                .ifPresent(log -> log.snapshots()
                        .forEach(snapshot -> table.row(
                                snapshot.index(),
                                snapshot.term(),
                                snapshot.bytes(),
                                snapshot.file().getFileName(),
                                snapshot.damage().isPresent() ? "DAMAGED" : "sound")));
        return table;
    }

    Table segments() {
        Table table = new Table("FIRST", "LAST", "ENTRIES", "BYTES", "FILE", "STATE");
        node.log()
                .ifPresent(log -> log.segments()
                        .forEach(segment -> table.row(
                                segment.firstIndex(),
                                segment.entries() == 0 ? "" : segment.lastIndex(),
                                segment.entries(),
                                segment.bytes(),
                                segment.file().getFileName(),
                                segment.damage().map(Inspection::state).orElse("sound"))));
        return table;
    }

    private static String state(Damage damage) {
        return damage.torn()
                ? "torn at offset " + damage.offset() + ": never acknowledged, the next start removes it"
                : "DAMAGED at offset " + damage.offset();
    }

    Table entryTable() {
        Table table = new Table("INDEX", "TERM", "TIME", "CLUSTER MS", "WHAT");
        for (ReadEntry entry : entries.shown()) {
            for (String words : entry.words()) {
                table.row(entry.stored().index(), entry.stored().term(), entry.wallTime(), entry.clusterTime(), words);
            }
        }
        return table;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>(facts());
        json.put("directory", node.directory().toString());
        json.put("damaged", isDamaged());
        json.put("problems", problems());
        node.log().ifPresent(log -> {
            json.put("snapshots", log.snapshots().stream().map(Inspection::json).toList());
            json.put("files", log.segments().stream().map(Inspection::json).toList());
        });
        json.put("entries", entries.shown().stream().map(ReadEntry::json).toList());
        json.put("entries_in_all", entries.all());
        json.put("entries_left_out", entries.leftOut());
        return json;
    }

    private static Map<String, Object> json(StoredSnapshot snapshot) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", snapshot.file().getFileName().toString());
        json.put("bytes", snapshot.bytes());
        json.put("term", snapshot.term());
        json.put("index", snapshot.index());
        json.put("damage", snapshot.damage().orElse(""));
        return json;
    }

    private static Map<String, Object> json(StoredSegment segment) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", segment.file().getFileName().toString());
        json.put("bytes", segment.bytes());
        json.put("first", segment.firstIndex());
        json.put("entries", segment.entries());
        segment.damage().ifPresent(damage -> {
            json.put("damage", damage.what());
            json.put("damage_offset", damage.offset());
            json.put("torn", damage.torn());
        });
        return json;
    }
}
