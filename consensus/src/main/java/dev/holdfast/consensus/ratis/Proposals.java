package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Outcome;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The entries on their way from this node into the log.
 *
 * <p>The engine says "not the leader" both when it refused an entry and when it lost its place with the entry in
 * the log. So an entry is marked just before the engine appends it: what fails unmarked is in no log, what fails
 * marked may still come to be applied.
 */
final class Proposals {
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
    private volatile @Nullable Engine engine;

    private static final long ANY_TERM = -1;

    private static final class Pending {
        final long term;
        final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        volatile boolean appended;

        Pending(long term) {
            this.term = term;
        }
    }

    void open(Engine engine) {
        this.engine = engine;
    }

    CompletableFuture<Outcome> propose(long term, ByteString bytes) {
        Engine running = engine;
        if (running == null) {
            return refused("the log is not running");
        }
        if (bytes.size() > RatisProperties.LARGEST_ENTRY) {
            return refused("entry: at most " + RatisProperties.LARGEST_ENTRY + " bytes, was " + bytes.size());
        }
        long call = running.nextCall();
        Pending mine = new Pending(term);
        pending.put(call, mine);
        try {
            CompletableFuture<RaftClientReply> unused =
                    running.append(call, bytes).whenComplete((reply, e) -> answered(call, reply, e));
        } catch (IOException | RuntimeException e) {
            answered(call, null, e);
        }
        return mine.outcome;
    }

    /** For entries of the adapter's own: whatever becomes of one, the next is as good. */
    void send(Entry entry) {
        CompletableFuture<Outcome> unused = propose(ANY_TERM, entry.bytes());
    }

    private static CompletableFuture<Outcome> refused(String reason) {
        return CompletableFuture.completedFuture(new Outcome.NotAppended(reason));
    }

    /** Refuses an entry that was meant for another term than the one it would be appended to. */
    void check(long call, long term) throws IOException {
        Pending mine = pending.get(call);
        if (mine != null && mine.term != ANY_TERM && mine.term != term) {
            throw new IOException("proposed for term " + mine.term + ", and the term is " + term);
        }
    }

    /** The engine is about to append this one; it holds its lock, so nothing comes between. */
    void appending(long call, long term) throws IOException {
        check(call, term);
        Pending mine = pending.get(call);
        if (mine != null) {
            mine.appended = true;
        }
    }

    /** It was applied here. */
    void applied(long call, TermIndex at) {
        Pending mine = pending.remove(call);
        if (mine != null) {
            mine.outcome.complete(new Outcome.Applied(at.getTerm(), at.getIndex()));
        }
    }

    /** The engine's answer matters only if it comes before applying has settled the matter. */
    private void answered(long call, @Nullable RaftClientReply reply, @Nullable Throwable e) {
        Throwable failure = reply == null ? e : reply.getException();
        settle(call, failure == null ? "the engine gave no reason" : failure.toString());
    }

    private void settle(long call, String reason) {
        Pending mine = pending.remove(call);
        if (mine != null) {
            mine.outcome.complete(mine.appended ? new Outcome.Unknown(reason) : new Outcome.NotAppended(reason));
        }
    }

    /** Nothing more will be heard of any of them. */
    void close() {
        engine = null;
        pending.keySet().forEach(call -> settle(call, "the log was closed"));
    }
}
