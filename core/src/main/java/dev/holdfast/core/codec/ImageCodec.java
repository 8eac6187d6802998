package dev.holdfast.core.codec;

import dev.holdfast.core.Hold;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Limits;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.event.EndReason;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.image.HeaderImage;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.TombstoneImage;
import java.util.ArrayList;
import java.util.List;

/** The parts of a snapshot as bytes. */
public final class ImageCodec {
    private static final int NOT_ENDING = 0;
    private static final long NOBODY = Long.MAX_VALUE;
    private static final int TO_BE_TRIED = 1;
    private static final int TO_BE_TRIED_AGAIN = 2;

    private ImageCodec() {}

    public static void put(ByteWriter out, HeaderImage header) {
        out.putUnsigned(header.epoch());
        out.putUnsigned(header.revision());
        out.putUnsigned(header.now());
        out.putUnsigned(header.featureLevel());
        out.putUnsigned(header.quarantineEndMillis());
        out.putUnsigned(header.historyFloor());
        out.putFixed(header.sweptBelow());
        out.putUnsigned(header.sweepEnd());
        Limit[] limits = Limit.values();
        out.putUnsigned(limits.length);
        for (Limit limit : limits) {
            out.putByte(limit.id());
            out.putUnsigned(header.limits().get(limit));
        }
    }

    public static HeaderImage getHeader(ByteReader in) {
        long epoch = in.getUnsigned("epoch");
        long revision = in.getUnsigned("revision");
        long now = in.getUnsigned("now");
        int featureLevel = in.getCount("featureLevel", Integer.MAX_VALUE);
        long quarantineEnd = in.getUnsigned("quarantineEndMillis");
        long floor = in.getUnsigned("historyFloor");
        long sweptBelow = in.getFixed("sweptBelow");
        long sweepEnd = in.getUnsigned("sweepEnd");
        Limits limits = Limits.INITIAL;
        int count = in.getCount("limits", 255);
        for (int i = 0; i < count; i++) {
            Limit limit = Enums.limit(in.getByte("limit"));
            long value = in.getUnsigned(limit.name());
            if (value < limit.lowest() || value > limit.highest()) {
                throw new CodecException(limit + ": " + value + " is out of range");
            }
            limits = limits.with(limit, value);
        }
        return new HeaderImage(epoch, revision, now, featureLevel, quarantineEnd, floor, sweptBelow, sweepEnd, limits);
    }

    public static void put(ByteWriter out, TombstoneImage stone) {
        out.putFixed(stone.id().value());
        out.putString(stone.principal());
        out.putByte(stone.reason().id());
        out.putUnsigned(stone.endedAtMillis());
    }

    public static TombstoneImage getTombstone(ByteReader in) {
        return new TombstoneImage(
                Enums.lease(in),
                in.getString("principal", CodecBounds.NAME_BYTES),
                Enums.reason(in.getByte("reason")),
                in.getUnsigned("endedAtMillis"));
    }

    public static void put(ByteWriter out, Event event) {
        EventCodec.put(out, event);
    }

    public static Event getEvent(ByteReader in) {
        return EventCodec.get(in);
    }

    public static void put(ByteWriter out, LeaseImage lease) {
        out.putFixed(lease.id().value());
        out.putString(lease.principal());
        out.putString(lease.clientId());
        out.putUnsigned(lease.grantedTtlMillis());
        out.putUnsigned(lease.totalTtlMillis());
        out.putUnsigned(lease.endMillis());
        out.putUnsigned(lease.endTick());
        out.putUnsigned(lease.lockDelayMillis());
        out.putUnsigned(lease.startRevision());
        out.putSigned(lease.startedWallMillis());
        out.putUnsigned(lease.ackedBelow());
        EndReason ending = lease.ending();
        out.putByte(ending == null ? NOT_ENDING : ending.id());
        out.putUnsigned(lease.finished().size());
        for (LeaseImage.Finished finished : lease.finished()) {
            out.putUnsigned(finished.seq());
            ResultCodec.put(out, finished.result());
        }
    }

    public static LeaseImage getLease(ByteReader in) {
        var id = Enums.lease(in);
        String principal = in.getString("principal", CodecBounds.NAME_BYTES);
        String clientId = in.getString("clientId", CodecBounds.NAME_BYTES);
        long granted = in.getUnsigned("grantedTtlMillis");
        long total = in.getUnsigned("totalTtlMillis");
        long end = in.getUnsigned("endMillis");
        long tick = in.getUnsigned("endTick");
        long delay = in.getUnsigned("lockDelayMillis");
        long start = in.getUnsigned("startRevision");
        long wall = in.getSigned("startedWallMillis");
        long acked = in.getUnsigned("ackedBelow");
        int ending = in.getByte("ending");
        int count = in.getCount("finished", CodecBounds.FINISHED);
        List<LeaseImage.Finished> finished = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            finished.add(new LeaseImage.Finished(in.getUnsigned("seq"), ResultCodec.getFinal(in)));
        }
        return new LeaseImage(
                id,
                principal,
                clientId,
                granted,
                total,
                end,
                tick,
                delay,
                start,
                wall,
                acked,
                ending == NOT_ENDING ? null : Enums.reason(ending),
                finished);
    }

    /** Writes the lock alone; its requests are written one by one. */
    public static void put(ByteWriter out, LockImage lock) {
        out.putKey(lock.key());
        out.putUnsigned(lock.capacity());
        out.putUnsigned(lock.createRevision());
        out.putUnsigned(lock.modRevision());
        out.putUnsigned(lock.version());
        putUntried(out, lock);
    }

    /** The lock alone. */
    public static LockImage getLock(ByteReader in) {
        LockKey key = in.getKey("key");
        int capacity = in.getCount("capacity", Integer.MAX_VALUE);
        long create = in.getUnsigned("createRevision");
        long mod = in.getUnsigned("modRevision");
        long version = in.getUnsigned("version");
        int untried = in.getCount("untried", TO_BE_TRIED | TO_BE_TRIED_AGAIN);
        long from = (untried & TO_BE_TRIED) == 0 ? NOBODY : in.getFixed("untriedFrom");
        boolean again = (untried & TO_BE_TRIED_AGAIN) != 0;
        return new LockImage(key, capacity, create, mod, version, from, again, List.of());
    }

    private static void putUntried(ByteWriter out, LockImage lock) {
        boolean open = lock.untriedFrom() != NOBODY;
        out.putUnsigned((open ? TO_BE_TRIED : 0) | (lock.untriedAgain() ? TO_BE_TRIED_AGAIN : 0));
        if (open) {
            out.putFixed(lock.untriedFrom());
        }
    }

    /** Mostly it is one of the keys that it wants; then only which of them is written. */
    private static void putParkedOn(ByteWriter out, RequestImage request) {
        LockKey key = request.parkedOn();
        if (key == null) {
            throw new IllegalArgumentException("a waiting request is parked nowhere");
        }
        int own = 0;
        while (own < request.claims().size() && !request.claims().get(own).key().equals(key)) {
            own++;
        }
        out.putUnsigned(own);
        if (own == request.claims().size()) {
            out.putKey(key);
        }
    }

    private static LockKey getParkedOn(ByteReader in, List<Hold> claims) {
        int own = in.getCount("parkedOn", claims.size());
        return own < claims.size() ? claims.get(own).key() : in.getKey("parkedOn");
    }

    /**
     * Writes a request.
     *
     * @param own the first of its keys, which its place in the snapshot tells
     */
    public static void put(ByteWriter out, RequestImage request, LockKey own) {
        out.putFixed(request.lease().value());
        out.putByte(request.state().id());
        // Who a lingering request belonged to is known nowhere else; all others find it in their lease.
        if (request.state() == RequestImage.State.LINGERING) {
            out.putString(request.clientId());
        }
        out.putUnsigned(request.seq());
        out.putUnsigned(request.revision());
        out.putSigned(request.owner());
        out.putSigned(request.actor());
        EventCodec.putHolds(out, request.claims(), own);
        out.putUnsigned(request.sinceMillis());
        out.putSigned(request.wallMillis());
        out.putUnsigned(request.endMillis());
        if (request.state() == RequestImage.State.WAITING) {
            out.putUnsigned(request.maxHoldMillis());
            putParkedOn(out, request);
            out.putUnsigned(request.upgrades());
            out.putBoolean(request.leaseCoversWait());
            out.putBoolean(request.deadlockChecked());
        }
        out.putString(request.purpose());
        out.putBytes(request.metadata().bytes());
    }

    public static RequestImage getRequest(ByteReader in, LockKey own) {
        var lease = Enums.lease(in);
        RequestImage.State state = Enums.state(in.getByte("state"));
        boolean waiting = state == RequestImage.State.WAITING;
        String clientId = state == RequestImage.State.LINGERING ? in.getString("clientId", CodecBounds.NAME_BYTES) : "";
        long seq = in.getUnsigned("seq");
        long revision = in.getUnsigned("revision");
        long owner = in.getSigned("owner");
        long actor = in.getSigned("actor");
        List<Hold> claims = EventCodec.getHolds(in, own);
        return new RequestImage(
                lease,
                clientId,
                state,
                seq,
                revision,
                owner,
                actor,
                claims,
                in.getUnsigned("sinceMillis"),
                in.getSigned("wallMillis"),
                in.getUnsigned("endMillis"),
                waiting ? in.getUnsigned("maxHoldMillis") : 0,
                waiting ? getParkedOn(in, claims) : null,
                waiting ? in.getUnsigned("upgrades") : 0,
                waiting && in.getBoolean("leaseCoversWait"),
                !waiting || in.getBoolean("deadlockChecked"),
                in.getString("purpose", CodecBounds.PURPOSE_BYTES),
                Metadata.of(in.getBytes("metadata", CodecBounds.METADATA_BYTES)));
    }
}
