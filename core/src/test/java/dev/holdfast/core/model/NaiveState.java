package dev.holdfast.core.model;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Limits;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.image.TombstoneImage;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Everything the model remembers, in plain lists, and the questions that one scan answers. */
final class NaiveState {
    static final long TICK_MILLIS = 16;

    /** Waiting upgrades first, then the others; each by revision. */
    private final Comparator<NaiveRequest> byRank;

    private final Set<PlantedBug> bugs;

    final List<NaiveLease> leases = new ArrayList<>();
    final List<TombstoneImage> tombstones = new ArrayList<>();
    /** All of them: waiting, held and lingering, in no particular order. */
    final List<NaiveRequest> requests = new ArrayList<>();

    final List<NaiveLock> locks = new ArrayList<>();
    final List<Event> history = new ArrayList<>();
    /** What the entry in hand has caused so far. */
    final List<Event> events = new ArrayList<>();

    long epoch;
    long revision;
    long now;
    long wallMillis;
    int featureLevel = 1;
    long quarantineEnd;
    Limits limits = Limits.INITIAL;
    /** How many more ends the entry in hand may cause. */
    long endsLeft;
    /** How many more waiters the entry in hand may grant. */
    long grantsLeft;

    NaiveState(Set<PlantedBug> bugs) {
        this.bugs = Set.copyOf(bugs);
        this.byRank = Comparator.comparing(
                        (NaiveRequest request) -> has(PlantedBug.UPGRADE_WAITS_IN_LINE) || !request.isUpgrade())
                .thenComparing(request -> request.revision);
    }

    boolean has(PlantedBug bug) {
        return bugs.contains(bug);
    }

    long limit(Limit limit) {
        return limits.get(limit);
    }

    static long tick(long deadlineMillis) {
        return (deadlineMillis + TICK_MILLIS - 1) / TICK_MILLIS;
    }

    boolean isDue(long tick) {
        return tick * TICK_MILLIS <= now;
    }

    boolean isLeaseDue(NaiveLease lease) {
        return isDue(has(PlantedBug.LEASE_EXPIRES_EARLY) ? lease.endTick - 1 : lease.endTick);
    }

    boolean isWaitDue(NaiveRequest request) {
        return request.waits() && request.endMillis != 0 && isDue(waitTick(request));
    }

    long waitTick(NaiveRequest request) {
        long tick = tick(request.endMillis);
        return has(PlantedBug.TIMEOUT_LATE) ? tick + 1 : tick;
    }

    void setEnd(NaiveLease lease, long endMillis) {
        lease.endMillis = endMillis;
        lease.endTick = tick(endMillis + limit(Limit.LEASE_MARGIN_MILLIS));
    }

    /** The highest token that can have been given out so far. */
    long highestToken() {
        return epoch << FencingToken.REVISION_BITS | revision;
    }

    Optional<NaiveLease> lease(long id) {
        return leases.stream().filter(lease -> lease.id.value() == id).findFirst();
    }

    Optional<TombstoneImage> tombstone(LeaseId id) {
        return tombstones.stream().filter(ended -> ended.id().equals(id)).findFirst();
    }

    Optional<NaiveLock> lock(LockKey key) {
        return locks.stream().filter(lock -> lock.key.equals(key)).findFirst();
    }

    List<LockKey> keysInUse() {
        return locks.stream().map(lock -> lock.key).sorted().toList();
    }

    /** Those who hold or linger, by revision. */
    List<NaiveRequest> holders() {
        return requests.stream()
                .filter(request -> !request.waits())
                .sorted(Comparator.comparingLong(request -> request.revision))
                .toList();
    }

    List<NaiveRequest> lingering() {
        return holders().stream().filter(NaiveRequest::lingers).toList();
    }

    /** By rank. */
    List<NaiveRequest> waiters() {
        return ranked(requests.stream().filter(NaiveRequest::waits).toList());
    }

    List<NaiveRequest> ranked(List<NaiveRequest> waiting) {
        return waiting.stream().sorted(byRank).toList();
    }

    /** Of these, the ones of lower rank, by rank. */
    List<NaiveRequest> ahead(NaiveRequest request, List<NaiveRequest> waiting) {
        return ranked(waiting).stream()
                .filter(other -> byRank.compare(other, request) < 0)
                .toList();
    }

    /** Those of the lease that wait or hold, upgrades included, by revision. */
    List<NaiveRequest> live(NaiveLease lease) {
        return requests.stream()
                .filter(request -> request.lease == lease && !request.lingers())
                .sorted(Comparator.comparingLong(request -> request.revision))
                .toList();
    }

    Optional<NaiveRequest> live(NaiveLease lease, long seq) {
        return live(lease).stream().filter(request -> request.seq == seq).findFirst();
    }

    /** The lease's grant on the key with the token. */
    Optional<NaiveRequest> grant(NaiveLease lease, LockKey key, long token) {
        return live(lease).stream()
                .filter(request -> request.isHeld() && request.on(key).isPresent())
                .filter(request -> request.token == token
                        || (has(PlantedBug.RELEASE_FREES_NEWER_GRANT) && token > 0 && request.token > token))
                .findFirst();
    }

    Optional<NaiveRequest> waitingUpgradeOf(NaiveRequest grant) {
        return waiters().stream().filter(request -> request.upgrades == grant).findFirst();
    }

    void trimHistory() {
        while (history.size() > limit(Limit.HISTORY_EVENTS)
                || (historyBytes() > limit(Limit.HISTORY_BYTES) && !has(PlantedBug.HISTORY_BYTES_IGNORED))) {
            history.remove(0);
        }
    }

    private long historyBytes() {
        return history.stream().mapToLong(Event::bytes).sum();
    }

    /** What is remembered for a lease, and what is sure to be once its upgrades are granted. */
    long rememberedBytes(NaiveLease lease) {
        long upgrades = live(lease).stream()
                .flatMap(request -> Stream.ofNullable(request.upgrades))
                .mapToLong(grant -> NaiveTransitions.granted(grant).bytes())
                .sum();
        return upgrades
                + Stream.concat(lease.finished.values().stream(), lease.extensions.values().stream())
                        .mapToLong(Result.Final::bytes)
                        .sum();
    }
}
