package dev.holdfast.core.codec;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Permits;
import dev.holdfast.core.event.Event;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events as bytes. */
final class EventCodec {
    static final int LEASE_STARTED = 1;
    static final int LEASE_EXTENDED = 2;
    static final int LEASE_ENDED = 3;
    static final int QUEUED = 4;
    static final int LEFT = 5;
    static final int GRANTED = 6;
    static final int RELEASED = 7;
    static final int MODE_CHANGED = 8;
    static final int DELAY_ENDED = 9;
    static final int DESCRIBED = 10;

    private EventCodec() {}

    static void put(ByteWriter out, Event event) {
        event.match(new EventWriter(out));
    }

    static void putHolds(ByteWriter out, List<Hold> holds) {
        putHolds(out, holds, null);
    }

    /** @param own the key that they are written beside; it is not written again */
    static void putHolds(ByteWriter out, List<Hold> holds, @Nullable LockKey own) {
        out.putUnsigned(holds.size());
        for (Hold hold : holds) {
            if (own != null && hold.key().equals(own)) {
                out.putByte(0);
            } else {
                out.putKey(hold.key());
            }
            out.putByte(Enums.code(hold.kind(), hold.mode()));
            if (hold.kind() == Kind.PERMITS) {
                putPermits(out, hold.permits());
            }
        }
    }

    static List<Hold> getHolds(ByteReader in) {
        return getHolds(in, null);
    }

    static List<Hold> getHolds(ByteReader in, @Nullable LockKey own) {
        int count = in.getCount("holds", CodecBounds.CLAIMS);
        if (count == 1) {
            return List.of(getHold(in, own));
        }
        List<Hold> holds = new ArrayList<>(Math.min(count, 1_024));
        for (int i = 0; i < count; i++) {
            holds.add(getHold(in, own));
        }
        return List.copyOf(holds);
    }

    private static Hold getHold(ByteReader in, @Nullable LockKey own) {
        LockKey key = own == null ? in.getKey("key") : in.getKeyOr("key", own);
        int code = in.getByte("kind");
        Kind kind = Enums.kind(code);
        return new Hold(key, kind, Enums.mode(code), kind == Kind.PERMITS ? getPermits(in) : Permits.NONE);
    }

    /** Permits that are only wanted have no ranges; of those that are held each range says how far the next is. */
    private static void putPermits(ByteWriter out, Permits permits) {
        out.putUnsigned(permits.rangeCount());
        if (!permits.areHeld()) {
            out.putUnsigned(permits.count());
        }
        int next = 0;
        for (int range = 0; range < permits.rangeCount(); range++) {
            out.putUnsigned(permits.first(range) - next);
            out.putUnsigned(permits.last(range) - permits.first(range));
            next = permits.last(range) + 1;
        }
    }

    private static Permits getPermits(ByteReader in) {
        int count = in.getCount("ranges", CodecBounds.PERMITS);
        if (count == 0) {
            return Permits.wanted(in.getCount("permits", CodecBounds.PERMITS));
        }
        Permits.Ranges ranges = new Permits.Ranges();
        int next = 0;
        for (int range = 0; range < count; range++) {
            int first = next + in.getCount("slot", CodecBounds.SLOTS);
            int last = first + in.getCount("slots", CodecBounds.SLOTS);
            if (last >= CodecBounds.SLOTS) {
                throw new CodecException("slot: " + last + " is not below " + CodecBounds.SLOTS);
            }
            ranges.add(first, last);
            next = last + 1;
        }
        return ranges.toPermits();
    }

    static Event get(ByteReader in) {
        int code = in.getByte("event");
        long revision = in.getUnsigned("revision");
        long at = in.getUnsigned("at");
        long wall = in.getSigned("wallMillis");
        LeaseId lease = Enums.lease(in);
        String clientId = in.getString("clientId", CodecBounds.NAME_BYTES);
        return switch (code) {
            case LEASE_STARTED ->
                new Event.LeaseStarted(revision, at, wall, lease, clientId, in.getUnsigned("ttlMillis"));
            case LEASE_EXTENDED ->
                new Event.LeaseExtended(
                        revision, at, wall, lease, clientId, in.getUnsigned("ttlMillis"), in.getUnsigned("endMillis"));
            case LEASE_ENDED ->
                new Event.LeaseEnded(revision, at, wall, lease, clientId, Enums.reason(in.getByte("reason")));
            default -> {
                Event.Party party = new Event.Party(lease, clientId, in.getUnsigned("seq"));
                yield getOfLocks(in, code, revision, at, wall, party, getHolds(in));
            }
        };
    }

    private static Event getOfLocks(
            ByteReader in, int code, long revision, long at, long wall, Event.Party party, List<Hold> holds) {
        return switch (code) {
            case QUEUED -> new Event.Queued(revision, at, wall, party, holds);
            case DELAY_ENDED -> new Event.DelayEnded(revision, at, wall, party, holds);
            case LEFT -> new Event.Left(revision, at, wall, party, holds, Enums.reason(in.getByte("reason")));
            case GRANTED ->
                new Event.Granted(
                        revision,
                        at,
                        wall,
                        party,
                        holds,
                        Enums.token(in),
                        in.getUnsigned("queuedRevision"),
                        in.getUnsigned("leaseEndMillis"),
                        in.getUnsigned("holdEndMillis"),
                        in.getString("purpose", CodecBounds.PURPOSE_BYTES),
                        getMetadata(in));
            case RELEASED ->
                new Event.Released(
                        revision,
                        at,
                        wall,
                        party,
                        holds,
                        Enums.token(in),
                        Enums.reason(in.getByte("reason")),
                        in.getString("detail", CodecBounds.DETAIL_BYTES));
            case MODE_CHANGED ->
                new Event.ModeChanged(
                        revision, at, wall, party, holds, Enums.token(in), Enums.token(in), in.getUnsigned("seq"));
            case DESCRIBED -> new Event.Described(revision, at, wall, party, holds, Enums.token(in), getMetadata(in));
            default -> throw new CodecException("event " + code + " is not known to this version");
        };
    }

    private static Metadata getMetadata(ByteReader in) {
        return Metadata.of(in.getBytes("metadata", CodecBounds.METADATA_BYTES));
    }
}
