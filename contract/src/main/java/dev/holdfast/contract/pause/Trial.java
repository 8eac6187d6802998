package dev.holdfast.contract.pause;

import static org.awaitility.Awaitility.await;

import dev.holdfast.client.Grant;
import dev.holdfast.client.HoldfastClient;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Two processes take turns with a lock and add to a tally. Again and again the one that holds the lock is stopped
 * between reading and writing, for three times its lease; the other takes over; the first wakes up and writes.
 *
 * @param endpoints of the cluster
 * @param key of the lock
 * @param tally what they add to
 * @param argument what it is made with
 */
public record Trial(String endpoints, String key, Class<? extends Tally> tally, String argument) {
    /** As short as a cluster allows by default. */
    public static final Duration TTL = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Runs until there have been that many pauses and updates.
     *
     * <p>The tally starts at zero.
     */
    public Outcome run(int pauses, long updates) throws Exception {
        try (Holder one = Holder.start(this);
                Holder two = Holder.start(this)) {
            for (int i = 0; i < pauses; i++) {
                pause(i % 2 == 0 ? one : two, i % 2 == 0 ? two : one);
            }
            await().atMost(PATIENCE).until(() -> one.updates() + two.updates() >= updates);
            List<Holder.Account> accounts = List.of(one.end(), two.end());
            long acknowledged =
                    accounts.stream().mapToLong(Holder.Account::updates).sum();
            return new Outcome(
                    pauses,
                    acknowledged,
                    accounts.stream().mapToLong(Holder.Account::refused).sum(),
                    accounts.stream().mapToLong(Holder.Account::stale).sum(),
                    acknowledged - read());
        }
    }

    private static void pause(Holder holder, Holder other) throws Exception {
        holder.awaitMidway();
        holder.signal("STOP");
        long stopped = System.nanoTime();
        long before = other.updates();
        await().atMost(PATIENCE)
                .until(() -> System.nanoTime() - stopped > TTL.multipliedBy(3).toNanos() && other.updates() > before);
        holder.goOn();
        holder.signal("CONT");
        holder.awaitAwake();
    }

    /** What the tally shows to the last who holds the lock. */
    private long read() throws Exception {
        try (HoldfastClient client = HoldfastClient.connect(endpoints);
                Grant grant = client.lock(key).acquire();
                Tally last = tally.getConstructor(String.class).newInstance(argument)) {
            OptionalLong number = last.read(grant.token());
            return number.orElseThrow(() -> new AssertionError("the newest token was refused: " + grant));
        }
    }
}
