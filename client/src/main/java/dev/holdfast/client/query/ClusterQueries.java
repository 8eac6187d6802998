package dev.holdfast.client.query;

import dev.holdfast.client.api.Explanation;
import dev.holdfast.client.api.LockInfo;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.LockQueries;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.client.lease.Leases;
import dev.holdfast.client.session.UnaryCalls;
import dev.holdfast.client.watch.EventMapper;
import dev.holdfast.protocol.Cursor;
import dev.holdfast.protocol.v1.ExplainRequest;
import dev.holdfast.protocol.v1.ExplainResponse;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.HistoryRequest;
import dev.holdfast.protocol.v1.HistoryResponse;
import dev.holdfast.protocol.v1.ListRequest;
import dev.holdfast.protocol.v1.ListResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks the cluster about locks. */
public final class ClusterQueries implements LockQueries {
    private static final int PAGE = 1_000;

    private final UnaryCalls calls;
    private final Leases leases;
    private final boolean stale;

    /**
     * Queries of one client.
     *
     * @param stale whether one node may answer from what it knows, which may be old
     */
    public ClusterQueries(UnaryCalls calls, Leases leases, boolean stale) {
        this.calls = calls;
        this.leases = leases;
        this.stale = stale;
    }

    /**
     * A lock as it was at a moment.
     *
     * @param lock without holders and waiters if nobody holds it or waits for it
     * @param cursor who watches from there misses nothing
     */
    public record LockAt(LockInfo lock, Cursor cursor) {}

    @Override
    public Optional<LockInfo> get(String key) throws InterruptedException {
        GetResponse answer = calls.call(LockServiceGrpc.getGetMethod(), getRequest(key));
        return answer.hasLock() ? Optional.of(LockInfoMapper.lock(answer.getLock())) : Optional.empty();
    }

    /** Returns a lock, and the moment at which it was so. */
    public LockAt getAt(String key) throws InterruptedException {
        GetResponse answer = calls.call(LockServiceGrpc.getGetMethod(), getRequest(key));
        return new LockAt(
                LockInfoMapper.lock(answer.getLock()),
                new Cursor(answer.getHeader().getEpoch(), answer.getHeader().getRevision()));
    }

    /** Whether anybody holds a lock. A holder that was lost may still keep the key closed, but holds nothing. */
    public boolean isHeldUninterruptibly(String key) {
        return calls
                .callUninterruptibly(LockServiceGrpc.getGetMethod(), getRequest(key))
                .getLock()
                .getHoldersList()
                .stream()
                .anyMatch(holder -> !holder.getLingering());
    }

    private GetRequest getRequest(String key) {
        return GetRequest.newBuilder().setName(key).setStale(stale).build();
    }

    @Override
    public List<LockInfo> list(String prefix, int limit) throws InterruptedException {
        requirePositive(limit);
        List<LockInfo> found = new ArrayList<>();
        String from = "";
        do {
            ListRequest request = ListRequest.newBuilder()
                    .setPrefix(prefix)
                    .setFrom(from)
                    .setLimit(Math.min(limit - found.size(), PAGE))
                    .setStale(stale)
                    .build();
            ListResponse page = calls.call(LockServiceGrpc.getListMethod(), request);
            page.getLocksList().forEach(lock -> found.add(LockInfoMapper.lock(lock)));
            from = page.getNext();
        } while (!from.isEmpty() && found.size() < limit);
        return List.copyOf(found);
    }

    @Override
    public List<Explanation> explain() throws InterruptedException {
        List<Explanation> explanations = new ArrayList<>();
        for (long lease : leases.waiting()) {
            try {
                explain(lease, explanations);
            } catch (LockLostException e) {
                // The lease has not come to the cluster yet, or has ended: nothing waits under it.
            }
        }
        return List.copyOf(explanations);
    }

    private void explain(long lease, List<Explanation> explanations) throws InterruptedException {
        long from = 0;
        do {
            ExplainRequest request = ExplainRequest.newBuilder()
                    .setLeaseId(lease)
                    .setFrom(from)
                    .setStale(stale)
                    .build();
            ExplainResponse page = calls.call(LockServiceGrpc.getExplainMethod(), request);
            page.getExplanationsList().forEach(each -> explanations.add(LockInfoMapper.explanation(each)));
            from = page.getNext();
        } while (from != 0 && explanations.size() < PAGE);
    }

    @Override
    public List<WatchEvent> history(String key, int limit) throws InterruptedException {
        requirePositive(limit);
        List<WatchEvent> found = new ArrayList<>();
        long before = 0;
        do {
            HistoryRequest request = HistoryRequest.newBuilder()
                    .setName(key)
                    .setLimit(Math.min(limit - found.size(), PAGE))
                    .setBefore(before)
                    .setStale(stale)
                    .build();
            HistoryResponse page = calls.call(LockServiceGrpc.getHistoryMethod(), request);
            long epoch = page.getHeader().getEpoch();
            page.getEventsList()
                    .forEach(event -> found.add(EventMapper.read(event, new Cursor(epoch, event.getRevision()))));
            before = page.getNext();
        } while (before != 0 && found.size() < limit);
        return List.copyOf(found);
    }

    private static void requirePositive(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: must be at least 1, is " + limit);
        }
    }
}
