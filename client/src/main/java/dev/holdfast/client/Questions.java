package dev.holdfast.client;

import dev.holdfast.client.session.Descriptions;
import dev.holdfast.client.session.Events;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Questions about locks. They change nothing, and wait no longer than the client's {@link RetryPolicy} has patience.
 *
 * <p>An answer is of a moment between the question and the answer, unless it may be {@link HoldfastClient#stale}.
 */
public final class Questions {
    private static final int PAGE = 1_000;

    private final Session session;
    private final boolean stale;

    Questions(Session session, boolean stale) {
        this.session = session;
        this.stale = stale;
    }

    /** A lock; empty if nobody holds it or waits for it. */
    public Optional<LockInfo> get(String key) throws InterruptedException {
        GetResponse answer = lookAt(key);
        return answer.hasLock() ? Optional.of(Descriptions.lock(answer.getLock())) : Optional.empty();
    }

    GetResponse lookAt(String key) throws InterruptedException {
        GetRequest question =
                GetRequest.newBuilder().setName(key).setStale(stale).build();
        return session.asking().ask(LockServiceGrpc.getGetMethod(), question);
    }

    /**
     * Locks that are held or waited for, by key.
     *
     * @param prefix what the keys start with; the empty text for all
     * @param limit how many at the most; a long list is of several moments
     */
    public List<LockInfo> list(String prefix, int limit) throws InterruptedException {
        requirePositive(limit);
        List<LockInfo> found = new ArrayList<>();
        String from = "";
        do {
            ListRequest question = ListRequest.newBuilder()
                    .setPrefix(prefix)
                    .setFrom(from)
                    .setLimit(Math.min(limit - found.size(), PAGE))
                    .setStale(stale)
                    .build();
            ListResponse page = session.asking().ask(LockServiceGrpc.getListMethod(), question);
            page.getLocksList().forEach(lock -> found.add(Descriptions.lock(lock)));
            from = page.getNext();
        } while (!from.isEmpty() && found.size() < limit);
        return List.copyOf(found);
    }

    /** Why this client waits: one explanation for each of its requests that does. */
    public List<Explanation> explain() throws InterruptedException {
        List<Explanation> explanations = new ArrayList<>();
        for (long lease : session.asking().waitingLeases()) {
            ExplainRequest question = ExplainRequest.newBuilder()
                    .setLeaseId(lease)
                    .setStale(stale)
                    .build();
            try {
                session.asking()
                        .ask(LockServiceGrpc.getExplainMethod(), question)
                        .getExplanationsList()
                        .forEach(each -> explanations.add(Descriptions.explanation(each)));
            } catch (LockLostException e) {
                // The lease has not come to the cluster yet, or has ended: nothing waits under it.
            }
        }
        return List.copyOf(explanations);
    }

    /**
     * What happened to a key, newest first, as far back as the cluster remembers.
     *
     * @param limit how many events at the most; the cluster may give fewer at once
     */
    public List<WatchEvent> history(String key, int limit) throws InterruptedException {
        requirePositive(limit);
        HistoryRequest question = HistoryRequest.newBuilder()
                .setName(key)
                .setLimit(Math.min(limit, PAGE))
                .setStale(stale)
                .build();
        return session.asking().ask(LockServiceGrpc.getHistoryMethod(), question).getEventsList().stream()
                .map(Events::read)
                .toList();
    }

    private static void requirePositive(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: must be at least 1, is " + limit);
        }
    }
}
