package dev.holdfast.simulator.promise;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.Permits;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import java.util.List;

/** Events as somebody makes them up. */
final class Facts {
    private Facts() {}

    static List<Hold> exclusive(String key) {
        return List.of(Hold.of(LockKey.of(key), Kind.PLAIN, Mode.EXCLUSIVE));
    }

    static List<Hold> shared(String key) {
        return List.of(Hold.of(LockKey.of(key), Kind.PLAIN, Mode.SHARED));
    }

    static List<Hold> subtree(String key) {
        return List.of(Hold.of(LockKey.of(key), Kind.SUBTREE, Mode.EXCLUSIVE));
    }

    static List<Hold> permit(String key, int slot) {
        return List.of(new Hold(LockKey.of(key), Kind.PERMITS, Mode.EXCLUSIVE, Permits.ofRanges(slot, slot)));
    }

    static List<Hold> permitWanted(String key) {
        return List.of(new Hold(LockKey.of(key), Kind.PERMITS, Mode.EXCLUSIVE, Permits.wanted(1)));
    }

    private static Event.Party party(long lease, long seq) {
        return new Event.Party(new LeaseId(lease), "c" + lease, seq);
    }

    static Event granted(long revision, long lease, long seq, long queued, List<Hold> holds) {
        return new Event.Granted(
                revision,
                revision,
                0,
                party(lease, seq),
                holds,
                new FencingToken(revision),
                queued,
                0,
                0,
                "",
                Metadata.NONE);
    }

    static Event released(long revision, long lease, long seq, long token, List<Hold> holds) {
        return new Event.Released(
                revision, revision, 0, party(lease, seq), holds, new FencingToken(token), EndReason.RELEASED, "");
    }

    static Event queued(long revision, long lease, long seq, List<Hold> holds) {
        return new Event.Queued(revision, revision, 0, party(lease, seq), holds);
    }

    static Event left(long revision, long lease, long seq, List<Hold> holds) {
        return new Event.Left(revision, revision, 0, party(lease, seq), holds, EndReason.TIMEOUT);
    }

    static Event started(long revision, long at, long lease, long ttlMillis) {
        return new Event.LeaseStarted(revision, at, 0, new LeaseId(lease), "c" + lease, ttlMillis);
    }

    static Event expired(long revision, long at, long lease) {
        return new Event.LeaseEnded(revision, at, 0, new LeaseId(lease), "c" + lease, EndReason.LEASE_EXPIRED);
    }
}
