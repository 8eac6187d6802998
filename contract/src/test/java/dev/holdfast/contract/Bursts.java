package dev.holdfast.contract;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Makes events, and takes them. */
final class Bursts {
    private Bursts() {}

    /** Locks and unlocks one key again and again: two events each time. Returns when all have happened. */
    static void cycle(HoldfastClient client, String key, int times) throws InterruptedException {
        for (int i = 1; i < times; i++) {
            client.lock(key).acquire().close();
        }
        var unused = client.lock(key).acquire().release();
    }

    /** Locks that many keys at once, then unlocks them all. Returns when all has happened. */
    static void burst(HoldfastClient client, String prefix, int keys) {
        List<CompletableFuture<Grant>> grants = IntStream.range(0, keys)
                .mapToObj(i -> client.lock(prefix + i).acquireAsync())
                .toList();
        grants.stream().map(grant -> grant.join().releaseAsync()).toList().forEach(CompletableFuture::join);
    }

    static List<WatchEvent> take(Watch watch, int count) throws InterruptedException {
        List<WatchEvent> events = new ArrayList<>();
        while (events.size() < count) {
            events.add(watch.next());
        }
        return events;
    }
}
