package dev.holdfast.core.shard;

import java.util.Arrays;

/**
 * The part of a key that is hashed: its {@code {tag}} if it has one, else its first path segment.
 *
 * <p>The tag lies between the first opening brace and the next closing one, wherever they are in the key; a key
 * with {@code {}} there has none. A leading slash does not count: {@code /locks/db} and {@code locks/db} go together.
 */
final class RoutingPart {
    private static final byte SEPARATOR = '/';
    private static final byte OPEN = '{';
    private static final byte CLOSE = '}';
    private static final int NOT_FOUND = -1;

    private RoutingPart() {}

    static byte[] withoutLeadingSlash(byte[] key) {
        return key.length > 0 && key[0] == SEPARATOR ? Arrays.copyOfRange(key, 1, key.length) : key;
    }

    /** @param path a key without its leading slash */
    static byte[] of(byte[] path) {
        int open = indexOf(path, OPEN, 0);
        int close = open == NOT_FOUND ? NOT_FOUND : indexOf(path, CLOSE, open);
        if (close > open + 1) {
            return Arrays.copyOfRange(path, open + 1, close);
        }
        int slash = indexOf(path, SEPARATOR, 0);
        return slash == NOT_FOUND ? path : Arrays.copyOf(path, slash);
    }

    /**
     * Whether every key below {@code path} has the same routing part as it has.
     *
     * <p>Not so while no pair of braces is closed in it: a key further down may bring a tag of its own.
     */
    static boolean isSharedBelow(byte[] path) {
        int open = indexOf(path, OPEN, 0);
        return open != NOT_FOUND && indexOf(path, CLOSE, open) != NOT_FOUND;
    }

    /** What the keys below {@code path} begin with. */
    static byte[] startOfKeysBelow(byte[] path) {
        if (path.length == 0 || path[path.length - 1] == SEPARATOR) {
            return path;
        }
        byte[] start = Arrays.copyOf(path, path.length + 1);
        start[path.length] = SEPARATOR;
        return start;
    }

    private static int indexOf(byte[] bytes, byte wanted, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return NOT_FOUND;
    }
}
