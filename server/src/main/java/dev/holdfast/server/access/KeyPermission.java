package dev.holdfast.server.access;

import dev.holdfast.core.LockKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Leave to do something, and whatever that includes, with all keys that begin in one way. */
public final class KeyPermission {
    private final String prefix;
    private final byte[] utf8;
    private final Verb highest;

    /**
     * Leave for some keys.
     *
     * @param prefix what the keys begin with; end it with a slash to mean a folder; empty for all
     */
    public KeyPermission(String prefix, Verb highest) {
        this.prefix = prefix;
        this.utf8 = prefix.getBytes(StandardCharsets.UTF_8);
        this.highest = highest;
    }

    String prefix() {
        return prefix;
    }

    boolean allows(Verb verb) {
        return highest.compareTo(verb) >= 0;
    }

    boolean covers(LockKey key) {
        byte[] name = key.utf8();
        return name.length >= utf8.length && Arrays.equals(name, 0, utf8.length, utf8, 0, utf8.length);
    }

    @Override
    public String toString() {
        return highest + " on \"" + prefix + '"';
    }
}
