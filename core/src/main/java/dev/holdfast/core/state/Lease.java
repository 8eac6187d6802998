package dev.holdfast.core.state;

import dev.holdfast.core.Budget;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Quota;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.index.LongIndex;
import dev.holdfast.core.index.RadixTree;
import dev.holdfast.core.result.Result;
import dev.holdfast.core.time.Timer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A client's right to hold locks for a while, and what is remembered of its requests.
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>state</th><th>what happens</th><th>next</th></tr>
 * <tr><td>active</td><td>renewal, extension</td><td>active, ends later</td></tr>
 * <tr><td>active</td><td>time is up, revoked</td><td>closed: nobody can use it, it is granted nothing</td></tr>
 * <tr><td>closed</td><td>all it awaits, then all it holds, has ended</td><td>expired, revoked</td></tr>
 * <tr><td>expired, revoked</td><td>ten minutes pass</td><td>forgotten</td></tr>
 * </table>
 *
 * A client that disconnects changes nothing: the lease lives until its time is up.
 */
public final class Lease extends Timer implements RadixTree.Entry {
    /** The id once more, where a look-up finds it without another object. */
    private final long number;

    private final LeaseId id;
    private final byte[] key;
    final String principal;
    final Account account;
    final String clientId;
    final long grantedTtlMillis;
    long totalTtlMillis;
    long endMillis;
    final long lockDelayMillis;
    final long startRevision;
    final long startedWallMillis;

    /** Live requests by seq. */
    final LongIndex<Request> requests;

    /** Those with an owner, by owner; null while there was none. Never iterated, so its order does not matter. */
    private @Nullable Map<Long, List<Request>> byOwner;

    /** At least as high as any live request's seq. */
    private long highestSeq;

    private @Nullable TreeMap<Long, Result.Final> finished;

    /** Answers to extensions, by request id: who extends acknowledges nothing, so they are kept as long as it lives. */
    private @Nullable TreeMap<Long, Result.LeaseGranted> extensions;

    long ackedBelow;
    private int rememberedBytes;
    private int claims;
    private int waiters;
    int preservedIn;

    /** Why it is closed; null while it is not. */
    @Nullable
    EndReason ending;

    /** What is left of a closed lease, in the order in which it ends; null before that was asked for. */
    @Nullable
    PriorityQueue<Request> ends;

    Lease(
            LeaseId id,
            String principal,
            Account account,
            String clientId,
            long grantedTtlMillis,
            long lockDelayMillis,
            long startRevision,
            long startedWallMillis,
            KeyedHash hash) {
        this.number = id.value();
        this.id = id;
        this.key = keyOf(id.value());
        this.principal = principal;
        this.account = account;
        this.clientId = clientId;
        this.grantedTtlMillis = grantedTtlMillis;
        this.totalTtlMillis = grantedTtlMillis;
        this.lockDelayMillis = lockDelayMillis;
        this.startRevision = startRevision;
        this.startedWallMillis = startedWallMillis;
        this.requests = new LongIndex<>(request -> request.seq, hash);
    }

    /** The lease that a command would start; it is not in the state. */
    public static Lease imagined(Command.GrantLease command, Account account, KeyedHash hash) {
        Lease lease = new Lease(
                command.lease(),
                command.principal(),
                account,
                command.clientId(),
                command.ttlMillis(),
                command.lockDelayMillis(),
                0,
                0,
                hash);
        lease.neverDue();
        return lease;
    }

    /** Big-endian, so that byte order is the order of unsigned numbers. */
    public static byte[] keyOf(long id) {
        byte[] key = new byte[Long.BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            key[i] = (byte) (id >>> (Long.SIZE - Byte.SIZE * (i + 1)));
        }
        return key;
    }

    @Override
    public byte[] key() {
        return key;
    }

    public LeaseId id() {
        return id;
    }

    public String principal() {
        return principal;
    }

    /** Whose quotas it counts against. */
    public Account account() {
        return account;
    }

    public String clientId() {
        return clientId;
    }

    public long grantedTtlMillis() {
        return grantedTtlMillis;
    }

    public long totalTtlMillis() {
        return totalTtlMillis;
    }

    /** Cluster time until which its client may count on it. */
    public long endMillis() {
        return endMillis;
    }

    @Override
    public What what() {
        return What.LEASE;
    }

    @Override
    public long order() {
        return number;
    }

    public long lockDelayMillis() {
        return lockDelayMillis;
    }

    public long startRevision() {
        return startRevision;
    }

    public long startedWallMillis() {
        return startedWallMillis;
    }

    public long ackedBelow() {
        return ackedBelow;
    }

    /** Why it is closed, and only waits for what it holds to end; null while it is not. */
    public @Nullable EndReason ending() {
        return ending;
    }

    /** Claims that are held or awaited; each permit is one. */
    public int claims() {
        return claims;
    }

    void countClaims(int by) {
        claims += by;
        account.add(Quota.LOCKS, by);
    }

    /** Requests that wait. */
    public int waiters() {
        return waiters;
    }

    void countWaiters(int by) {
        waiters += by;
        account.add(Quota.WAITERS, by);
    }

    public int preservedIn() {
        return preservedIn;
    }

    public void markPreservedIn(int snapshot) {
        preservedIn = snapshot;
    }

    public int requestCount() {
        return requests.size();
    }

    public @Nullable Request request(long seq) {
        // Request ids grow, so nearly all are new: no need to look for them.
        return seq > highestSeq ? null : requests.get(seq);
    }

    void enlist(Request request) {
        requests.add(request);
        highestSeq = Math.max(highestSeq, request.seq);
        if (request.owner != 0 && !request.isUpgrade()) {
            if (byOwner == null) {
                byOwner = new HashMap<>();
            }
            byOwner.computeIfAbsent(request.owner, owner -> new ArrayList<>(1)).add(request);
        }
    }

    void delist(Request request) {
        requests.remove(request.seq);
        List<Request> own = byOwner == null ? null : byOwner.get(request.owner);
        if (byOwner != null && own != null && own.remove(request) && own.isEmpty()) {
            byOwner.remove(request.owner);
        }
    }

    /** Live requests by revision. */
    public List<Request> requestsByAge() {
        List<Request> all = requests.values();
        all.sort(Comparator.comparingLong(Request::revision));
        return all;
    }

    /**
     * Live requests by revision, as many as the budget allows. If it does not allow all of them, chance decides which.
     */
    public List<Request> requestsByAge(Budget budget) {
        List<Request> some = new ArrayList<>();
        requests.visit(request -> some.add(request) && budget.visit());
        some.sort(Comparator.comparingLong(Request::revision));
        return some;
    }

    /** Live requests of one owner, by revision; upgrades belong to their grant and are not among them. */
    public List<Request> requestsOf(long owner) {
        List<Request> own = new ArrayList<>(byOwner == null ? List.of() : byOwner.getOrDefault(owner, List.of()));
        own.sort(Comparator.comparingLong(Request::revision));
        return own;
    }

    public int requestCountOf(long owner) {
        return byOwner == null ? 0 : byOwner.getOrDefault(owner, List.of()).size();
    }

    public Result.@Nullable Final finished(long seq) {
        return finished == null ? null : finished.get(seq);
    }

    /** Unacknowledged answers by seq. */
    public SortedMap<Long, Result.Final> finished() {
        return finished == null ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(finished);
    }

    /** Keeps an answer until it is acknowledged. */
    void finish(long seq, Result.Final result) {
        if (finished == null) {
            finished = new TreeMap<>();
        }
        Result.Final before = finished.put(seq, result);
        countRemembered(result.bytes() - (before == null ? 0 : before.bytes()));
    }

    public Result.@Nullable LeaseGranted extension(long requestId) {
        return extensions == null ? null : extensions.get(requestId);
    }

    /** Answers to extensions by request id. */
    public SortedMap<Long, Result.LeaseGranted> extensions() {
        return extensions == null ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(extensions);
    }

    void rememberExtension(long requestId, Result.LeaseGranted answer) {
        if (extensions == null) {
            extensions = new TreeMap<>();
        }
        if (extensions.put(requestId, answer) == null) {
            countRemembered(answer.bytes());
        }
    }

    /** What its unacknowledged answers take, those that are sure to come for waiting upgrades included. */
    public int rememberedBytes() {
        return rememberedBytes;
    }

    void countRemembered(int by) {
        rememberedBytes += by;
        account.add(Quota.REMEMBERED_BYTES, by);
    }

    /** Nobody can ask for an answer any more. */
    void forgetAnswers() {
        if (finished != null) {
            forget(finished);
        }
        if (extensions != null) {
            forget(extensions);
            extensions = null;
        }
    }

    void acknowledgeBelow(long seq) {
        ackedBelow = seq;
        if (finished != null) {
            forget(finished.headMap(seq));
        }
    }

    private void forget(SortedMap<Long, ? extends Result.Final> known) {
        int bytes = 0;
        for (Result.Final result : known.values()) {
            bytes += result.bytes();
        }
        countRemembered(-bytes);
        known.clear();
        if (finished != null && finished.isEmpty()) {
            finished = null;
        }
    }

    List<Request> waitingByAge() {
        List<Request> waiting = new ArrayList<>();
        if (waiters > 0) {
            for (Request request : requestsByAge()) {
                if (request.waiting != null) {
                    waiting.add(request);
                }
            }
        }
        return waiting;
    }

    @Override
    public String toString() {
        return "lease " + id + " of " + clientId;
    }
}
