package dev.holdfast.transcript.player;

import dev.holdfast.transcript.step.Step;
import dev.holdfast.transcript.words.Phrases;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores that a lock protects: they let nobody in whose token is below the highest that has entered.
 *
 * <p>Reading enters too. Otherwise a holder could read, a stale one write after it, and the holder then
 * write what it had computed from the old value.
 */
final class Stores {
    private final Map<String, Store> stores = new HashMap<>();

    private static final class Store {
        long highestToken;

        @Nullable
        String value;
    }

    String access(Step.Access access) {
        Store store = stores.computeIfAbsent(access.store(), name -> new Store());
        if (access.token() < store.highestToken) {
            return access.store() + " refuses " + access.name() + ": token " + Phrases.token(access.token())
                    + " is older than " + Phrases.token(store.highestToken) + ", which has entered";
        }
        store.highestToken = access.token();
        if (access.value().isPresent()) {
            store.value = access.value().get();
            return access.store() + " is " + quoted(store.value);
        }
        return access.name() + " reads " + (store.value == null ? "nothing" : quoted(store.value));
    }

    private static String quoted(String value) {
        return value.contains(" ") ? '"' + value + '"' : value;
    }
}
