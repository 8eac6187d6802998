package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Member;
import dev.holdfast.consensus.Member.Part;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.regex.Matcher;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;

/** The files that the engine keeps beside its entries, read without the engine. */
record StoredFiles(Path directory) {

    /** A file of the log; only the one that is being written does not know its last index. */
    record File(Path path, long firstIndex, OptionalLong lastIndex) {
        boolean isOpen() {
            return lastIndex.isEmpty();
        }
    }

    /** What a node must not forget of elections. */
    record Vote(long term, Optional<String> votedFor) {}

    List<File> segments() throws IOException {
        List<File> found = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "log_*")) {
                for (Path path : files) {
                    Matcher open = TornTail.OPEN.matcher(path.getFileName().toString());
                    Matcher closed = TornTail.CLOSED.matcher(path.getFileName().toString());
                    if (open.matches()) {
                        found.add(new File(path, Long.parseLong(open.group(1)), OptionalLong.empty()));
                    } else if (closed.matches()) {
                        long last = Long.parseLong(closed.group(2));
                        found.add(new File(path, Long.parseLong(closed.group(1)), OptionalLong.of(last)));
                    }
                }
            }
        }
        found.sort(Comparator.comparingLong(File::firstIndex));
        return found;
    }

    Vote vote(List<String> problems) throws IOException {
        Path file = directory.resolve("raft-meta");
        if (!Files.exists(file)) {
            problems.add(file + " is missing: the node no longer knows its term, nor whom it voted for");
            return new Vote(0, Optional.empty());
        }
        Properties properties = new Properties();
        properties.load(new StringReader(Files.readString(file)));
        String term = properties.getProperty("term", "");
        if (!term.matches("[0-9]{1,18}")) {
            problems.add(file + " should hold a term, but holds \"" + term + '"');
            return new Vote(0, Optional.empty());
        }
        return new Vote(
                Long.parseLong(term),
                Optional.of(properties.getProperty("votedFor", "")).filter(vote -> !vote.isEmpty()));
    }

    /** The newest members that the engine wrote down; none before the first change was committed. */
    List<Member> members(List<String> problems) throws IOException {
        Path file = directory.resolve("raft-meta.conf");
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return members(LogEntryProto.parseFrom(Files.readAllBytes(file)).getConfigurationEntry());
        } catch (IOException | IllegalArgumentException e) {
            problems.add(file + ": the list of members cannot be read: " + e.getMessage());
            return List.of();
        }
    }

    static List<Member> members(RaftConfigurationProto configuration) {
        List<Member> members = new ArrayList<>();
        configuration.getPeersList().forEach(peer -> Peers.voter(peer).ifPresent(members::add));
        configuration
                .getListenersList()
                .forEach(peer -> Peers.voter(peer)
                        .map(member ->
                                new Member(member.id(), member.peerAddress(), member.clientAddress(), Part.LEARNER))
                        .ifPresent(members::add));
        members.sort(Comparator.comparing(member -> member.id().toString()));
        return members;
    }
}
