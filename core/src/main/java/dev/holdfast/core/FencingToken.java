package dev.holdfast.core;

/**
 * The number that a protected resource compares: it only ever grows for one key.
 *
 * <p>{@code epoch << 48 | revision}. The revision is that of the granting transition, so no two
 * grants share a token; the epoch rises with each restore of a backup, so tokens handed out after
 * the backup was taken stay below every later one.
 */
public record FencingToken(long value) implements Comparable<FencingToken> {
    public static final int REVISION_BITS = 48;
    public static final long MAX_REVISION = (1L << REVISION_BITS) - 1;
    public static final long MAX_EPOCH = (1L << (Long.SIZE - 1 - REVISION_BITS)) - 1;

    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException("fencing token: must be positive, was " + value);
        }
    }

    public static FencingToken of(long epoch, long revision) {
        if (epoch < 0 || epoch > MAX_EPOCH || revision < 1 || revision > MAX_REVISION) {
            throw new IllegalArgumentException("fencing token: epoch " + epoch + " or revision " + revision
                    + " out of range (epoch <= " + MAX_EPOCH + ", revision <= " + MAX_REVISION + ")");
        }
        return new FencingToken(epoch << REVISION_BITS | revision);
    }

    public long epoch() {
        return value >>> REVISION_BITS;
    }

    public long revision() {
        return value & MAX_REVISION;
    }

    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
