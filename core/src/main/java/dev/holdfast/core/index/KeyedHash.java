package dev.holdfast.core.index;

/**
 * Spreads numbers by a secret of the process.
 *
 * <p>Clients choose lease ids and sequence numbers. With a hash that everybody knows, one of them could choose numbers
 * that all meet in one place of an index, and every look-up there would walk over all of them. Two nodes may spread
 * differently: where a number lies in an index is never seen.
 */
public final class KeyedHash {
    /** For tests and tools, whose numbers nobody chooses to do harm. */
    public static final KeyedHash OPEN = new KeyedHash(0);

    private final long mask;
    private final long first;
    private final long second;

    /** @param secret a number that nobody outside the process knows */
    public KeyedHash(long secret) {
        this.mask = scramble(secret);
        this.first = scramble(mask) | 1;
        this.second = scramble(first) | 1;
    }

    int of(long number) {
        long mixed = (number ^ mask) * first;
        return (int) (((mixed ^ mixed >>> 32) * second) >>> 32);
    }

    /** Makes every bit depend on every other, so that secrets that are alike give nothing away of each other. */
    private static long scramble(long number) {
        long mixed = number + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
