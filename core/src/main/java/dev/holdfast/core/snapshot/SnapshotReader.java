package dev.holdfast.core.snapshot;

import dev.holdfast.core.codec.ByteReader;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.codec.ImageCodec;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.state.State;
import dev.holdfast.core.state.StateLoader;
import java.util.Arrays;

/**
 * Builds the state out of a snapshot's bytes, fed in pieces of any size.
 *
 * <p>A damaged, cut off or foreign snapshot is an error that says where, never a state.
 */
public final class SnapshotReader {
    private final StateLoader loader;
    private byte[] pending = {};
    private int pendingSize;
    private long frames;
    private long leases;
    private long locks;
    private long requests;
    private int lastRecord;

    /** A reader for tests and tools. */
    public SnapshotReader() {
        this(KeyedHash.OPEN);
    }

    /** @param hash of this process */
    public SnapshotReader(KeyedHash hash) {
        this.loader = new StateLoader(hash);
    }

    public void feed(byte[] bytes, int length) {
        if (pendingSize + length > pending.length) {
            pending = Arrays.copyOf(pending, Math.max(pendingSize + length, 2 * pending.length));
        }
        System.arraycopy(bytes, 0, pending, pendingSize, length);
        pendingSize += length;
        int at = 0;
        while (pendingSize - at >= Frames.OVERHEAD) {
            int payload = Frames.intAt(pending, at);
            if (payload < 1 || payload > Frames.LONGEST) {
                throw damaged("a length of " + payload);
            }
            if (pendingSize - at < payload + Frames.OVERHEAD) {
                break;
            }
            frame(at + Integer.BYTES, payload);
            at += payload + Frames.OVERHEAD;
        }
        System.arraycopy(pending, at, pending, 0, pendingSize - at);
        pendingSize -= at;
    }

    /** The state, once all bytes were fed. */
    public State finish() {
        if (pendingSize > 0 || lastRecord != Frames.END) {
            throw new CodecException("snapshot: cut off after frame " + frames);
        }
        try {
            return loader.finish();
        } catch (RuntimeException e) {
            throw impossible(e);
        }
    }

    private void frame(int from, int length) {
        if (Frames.checksum(pending, from, length) != Frames.intAt(pending, from + length)) {
            throw damaged("a wrong checksum");
        }
        ByteReader in = new ByteReader(pending, from, length);
        try {
            while (in.hasMore()) {
                record(in);
            }
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException e) {
            throw impossible(e);
        }
        frames++;
    }

    private void record(ByteReader in) {
        int type = in.getByte("record");
        if (!mayFollow(type)) {
            throw damaged("record " + type + " after " + lastRecord);
        }
        lastRecord = type;
        switch (type) {
            case Frames.HEADER -> header(in);
            case Frames.TOMBSTONE -> loader.tombstone(ImageCodec.getTombstone(in));
            case Frames.EVENT -> loader.event(ImageCodec.getEvent(in));
            case Frames.LEASE -> {
                loader.lease(ImageCodec.getLease(in));
                leases++;
            }
            case Frames.LOCK -> {
                loader.lock(ImageCodec.getLock(in));
                locks++;
            }
            case Frames.REQUEST -> {
                loader.request(ImageCodec.getRequest(in, loader.lastLock()));
                requests++;
            }
            case Frames.END -> {
                if (in.getUnsigned("leases") != leases
                        || in.getUnsigned("locks") != locks
                        || in.getUnsigned("requests") != requests) {
                    throw damaged("other counts than were written");
                }
            }
            default -> throw damaged("record " + type + ", which this version does not know");
        }
    }

    private boolean mayFollow(int type) {
        return switch (type) {
            case Frames.HEADER -> lastRecord == 0;
            case Frames.LOCK -> lastRecord >= Frames.HEADER && lastRecord <= Frames.REQUEST;
            case Frames.REQUEST -> lastRecord == Frames.LOCK || lastRecord == Frames.REQUEST;
            default -> lastRecord >= Frames.HEADER && lastRecord <= type && lastRecord != Frames.END;
        };
    }

    private void header(ByteReader in) {
        if (in.getFixedInt("magic") != Frames.MAGIC) {
            throw new CodecException("snapshot: this is not a Holdfast snapshot");
        }
        int version = in.getByte("version");
        if (version != Frames.VERSION) {
            throw new CodecException(
                    "snapshot: format " + version + " is not known; this version reads " + Frames.VERSION);
        }
        loader.header(ImageCodec.getHeader(in));
    }

    /** Checksums are right, and yet no machine can have written this. */
    private CodecException impossible(RuntimeException cause) {
        return new CodecException("snapshot: frame " + frames + " describes a state that cannot be: " + cause, cause);
    }

    private CodecException damaged(String what) {
        return new CodecException("snapshot: frame " + frames + " has " + what);
    }
}
