package dev.holdfast.core.snapshot;

import dev.holdfast.core.codec.ByteWriter;
import dev.holdfast.core.codec.ImageCodec;
import dev.holdfast.core.image.HeaderImage;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.StateImage;

/** The hash of a state that is there as a value: the same that its snapshot has. */
public final class StateHash {
    private StateHash() {}

    public static long of(StateImage state) {
        ByteWriter out = new ByteWriter(4_096);
        putHeader(out, state.header());
        state.tombstones().forEach(stone -> {
            out.putByte(Frames.TOMBSTONE);
            ImageCodec.put(out, stone);
        });
        state.history().forEach(event -> {
            out.putByte(Frames.EVENT);
            ImageCodec.put(out, event);
        });
        state.leases().forEach(lease -> {
            out.putByte(Frames.LEASE);
            ImageCodec.put(out, lease);
        });
        state.locks().forEach(lock -> {
            out.putByte(Frames.LOCK);
            ImageCodec.put(out, lock);
            lock.requests().forEach(request -> {
                out.putByte(Frames.REQUEST);
                ImageCodec.put(out, request, lock.key());
            });
        });
        long requests = 0;
        for (LockImage lock : state.locks()) {
            requests += lock.requests().size();
        }
        putEnd(out, state.leases().size(), state.locks().size(), requests);
        Frames.Digest digest = new Frames.Digest();
        digest.add(out.toByteArray());
        return digest.value();
    }

    static void putHeader(ByteWriter out, HeaderImage header) {
        out.putByte(Frames.HEADER);
        out.putFixedInt(Frames.MAGIC);
        out.putByte(Frames.VERSION);
        ImageCodec.put(out, header);
    }

    static void putEnd(ByteWriter out, long leases, long locks, long requests) {
        out.putByte(Frames.END);
        out.putUnsigned(leases);
        out.putUnsigned(locks);
        out.putUnsigned(requests);
    }
}
