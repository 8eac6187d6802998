package dev.holdfast.consensus.ratis;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Whom this member voted for last, itself included: one vote in a term, and none in an earlier one, across restarts.
 *
 * <p>The engine keeps its vote, too. But the thread that begins an election of its own counts up the term, votes for
 * itself and stores that without the lock under which others get their votes. So a vote may be given twice in one term,
 * or one that was answered be overwritten on disk by an older one. What leaves this member, as an answer or as a question
 * for votes, is therefore counted here, and what the engine stored is set right before it starts.
 */
final class Ballot {
    private static final String TERM = "term";
    private static final String CANDIDATE = "votedFor";
    private static final long NO_TERM = -1;

    private final Path file;
    private final Path enginesFile;
    private final DurableDirectory directory;
    private Vote last = new Vote(NO_TERM, "");

    private record Vote(long term, String candidate) {}

    Ballot(Path logDirectory, DurableDirectory directory) {
        this.file = logDirectory.resolve("vote");
        this.enginesFile = logDirectory.resolve("raft-meta");
        this.directory = directory;
    }

    /** Reads the last vote, and makes the engine remember it if it does not: before the engine starts. */
    synchronized void open() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        last = read(file);
        if (Files.exists(enginesFile)) {
            Vote engines = read(enginesFile);
            if (engines.term < last.term || (engines.term == last.term && !engines.equals(last))) {
                write(enginesFile, last);
            }
        }
    }

    /**
     * Votes, and remembers it whatever happens.
     *
     * @return whether it may: no vote was cast for another in this term, and none in a later one
     */
    synchronized boolean cast(long term, RaftPeerId candidate) throws IOException {
        Vote vote = new Vote(term, candidate.toString());
        if (vote.equals(last)) {
            return true;
        }
        if (term <= last.term) {
            return false;
        }
        write(file, vote);
        last = vote;
        return true;
    }

    synchronized long term() {
        return last.term;
    }

    private static Vote read(Path file) throws IOException {
        Properties stored = new Properties();
        stored.load(new StringReader(Files.readString(file)));
        try {
            return new Vote(Long.parseLong(stored.getProperty(TERM, "")), stored.getProperty(CANDIDATE, ""));
        } catch (NumberFormatException e) {
            throw Replacement.refuse(file, "the last vote cannot be read", e);
        }
    }

    /** In the engine's form, so that one can stand for the other. */
    private void write(Path target, Vote vote) throws IOException {
        Properties stored = new Properties();
        stored.setProperty(TERM, Long.toString(vote.term));
        stored.setProperty(CANDIDATE, vote.candidate);
        StringWriter text = new StringWriter();
        stored.store(text, null);
        Path fresh = target.resolveSibling(target.getFileName() + ".fresh");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        directory.flush();
    }
}
