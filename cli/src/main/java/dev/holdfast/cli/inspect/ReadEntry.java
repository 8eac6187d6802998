package dev.holdfast.cli.inspect;

import dev.holdfast.consensus.stored.StoredEntry;
import dev.holdfast.core.codec.CodecException;
import dev.holdfast.core.command.Batch;
import dev.holdfast.server.replica.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An entry as people read it.
 *
 * @param batch absent for an entry of the engine's own, and for one that this version cannot read
 * @param words what it does, a sentence each
 */
record ReadEntry(StoredEntry stored, Optional<Batch> batch, List<String> words, boolean readable) {

    static ReadEntry of(StoredEntry stored) {
        return stored.content()
                .match(
                        replicated -> decoded(stored, replicated.bytes()),
                        engine -> new ReadEntry(stored, Optional.empty(), List.of(engine.words()), true));
    }

    private static ReadEntry decoded(StoredEntry stored, byte[] bytes) {
        try {
            Batch batch = Entry.decode(bytes).batch();
            return new ReadEntry(stored, Optional.of(batch), words(batch), true);
        } catch (CodecException e) {
            return new ReadEntry(stored, Optional.empty(), List.of("cannot be read: " + e.getMessage()), false);
        }
    }

    private static List<String> words(Batch batch) {
        List<String> words = new ArrayList<>();
        if (batch.renewals().length > 0) {
            words.add("renews " + batch.renewals().length + (batch.renewals().length == 1 ? " lease" : " leases"));
        }
        batch.commands().forEach(command -> words.add(CommandWords.of(command)));
        return words.isEmpty() ? List.of("time passes") : words;
    }

    /** The leader's wall clock when it was proposed. */
    String wallTime() {
        return batch.map(known -> Instant.ofEpochMilli(known.wallMillis()).toString())
                .orElse("");
    }

    String clusterTime() {
        return batch.map(known -> Long.toString(known.clusterTimeMillis())).orElse("");
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("index", stored.index());
        json.put("term", stored.term());
        json.put("file", stored.file().getFileName().toString());
        json.put("offset", stored.offset());
        batch.ifPresent(known -> {
            json.put("time", wallTime());
            json.put("cluster_time_ms", known.clusterTimeMillis());
            json.put("clock_term", known.clockTerm());
        });
        json.put("does", words);
        return json;
    }
}
