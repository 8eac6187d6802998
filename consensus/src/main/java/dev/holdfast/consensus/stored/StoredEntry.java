package dev.holdfast.consensus.stored;

import java.nio.file.Path;
import java.util.function.Function;

/**
 * One entry of the log, and where it lies.
 *
 * @param offset where what was written with it begins: one record may carry several entries
 */
public record StoredEntry(long term, long index, Path file, long offset, Content content) {

    /** What an entry is for. */
    public sealed interface Content {
        /** Hands this to the one who takes its kind. */
        <R> R match(Function<Replicated, R> replicated, Function<Engine, R> engine);

        /** An entry of the replica's own, as it was proposed. */
        @SuppressWarnings("ArrayRecordComponent") // read from disk and handed over
        record Replicated(byte[] bytes) implements Content {
            @Override
            public <R> R match(Function<Replicated, R> replicated, Function<Engine, R> engine) {
                return replicated.apply(this);
            }
        }

        /** An entry of the engine's own, in words. */
        record Engine(String words) implements Content {
            @Override
            public <R> R match(Function<Replicated, R> replicated, Function<Engine, R> engine) {
                return engine.apply(this);
            }
        }
    }
}
