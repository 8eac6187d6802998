package dev.holdfast.contract.pause;

import static org.awaitility.Awaitility.await;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
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

    /** What a store loses at the least that keeps nobody out: what was done under one grant, in the first pause. */
    static final int CERTAIN_LOSS = Worker.UPDATES_PER_GRANT;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Thousands of updates take a while on a busy machine. */
    private static final Duration PATIENCE_WITH_ALL = Duration.ofMinutes(3);

    /**
     * Runs until there have been that many pauses and updates.
     *
     * <p>The tally starts at zero. In the first pause and every other one after it, the one who took over rests when the
     * first wakes up: a stale write that is accepted then undoes all that was done meanwhile. In the others it is at
     * work: stale accesses come in between its own, which may be written over them.
     */
    public Outcome run(int pauses, long updates) throws Exception {
        try (Holder one = Holder.start(this);
                Holder two = Holder.start(this)) {
            for (int i = 0; i < pauses; i++) {
                pause(i % 4 < 2 ? one : two, i % 4 < 2 ? two : one, i % 2 == 0);
            }
            await().atMost(PATIENCE_WITH_ALL).until(() -> one.updates() + two.updates() >= updates);
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

    private static void pause(Holder holder, Holder other, boolean rests) throws Exception {
        long stale = holder.awaitMidway();
        holder.signal("STOP");
        long stopped = System.nanoTime();
        await().atMost(PATIENCE)
                .until(() -> System.nanoTime() - stopped > TTL.multipliedBy(3).toNanos()
                        && other.updatesAfter(stale) >= CERTAIN_LOSS);
        if (rests) {
            other.awaitRest();
        }
        holder.goOn();
        holder.signal("CONT");
        holder.awaitAwake();
        if (rests) {
            other.goOn();
            other.awaitAwake();
        }
    }

    /** What the tally shows to the last who holds the lock. */
    private long read() throws Exception {
        try (HoldfastClient client = HoldfastClient.create(endpoints);
                Grant grant = client.lock(key).acquire();
                Tally last = tally.getConstructor(String.class).newInstance(argument)) {
            OptionalLong number = last.read(grant.token());
            return number.orElseThrow(() -> new AssertionError("the newest token was refused: " + grant));
        }
    }
}
