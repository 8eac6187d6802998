package dev.holdfast.simulator.world;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What happened, in order: a hash to compare two runs by, and lines for people if somebody wants them. */
public final class Trace {
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final double NANOS_PER_SECOND = 1e9;

    private final @Nullable Consumer<String> reader;
    private long hash = 0xcbf29ce484222325L;
    private long notes;

    private Trace(@Nullable Consumer<String> reader) {
        this.reader = reader;
    }

    /** Keeps a hash alone. */
    public static Trace hashed() {
        return new Trace(null);
    }

    /** Writes lines as well. */
    public static Trace readBy(Consumer<String> reader) {
        return new Trace(reader);
    }

    void note(long now, String who, Supplier<String> what) {
        mix(now);
        mix(who.hashCode());
        notes++;
        if (reader != null) {
            reader.accept(String.format(Locale.ROOT, "%11.6f  %-4s %s", now / NANOS_PER_SECOND, who, what.get()));
        }
    }

    /** Lets a number that differs between two runs show. */
    public void mix(long value) {
        hash = (hash ^ value) * FNV_PRIME;
        hash ^= hash >>> 29;
    }

    public long hash() {
        return hash;
    }

    /** How many things were noted. */
    public long notes() {
        return notes;
    }
}
