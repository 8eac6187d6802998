package dev.holdfast.simulator.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Clients that use locks in virtual time: calls overlap, replies get lost, leases expire. The seed decides it all. */
final class RandomRun {
    private record Event(long time, long number, Runnable action) {}

    /** What one client believes to hold of one key, and what it once held. */
    private static final class Belief {
        long held;
        long last;
    }

    private static final int LOST_PERCENT = 3;
    private static final int EXPIRE_PERCENT = 25;

    private final SplittableRandom random;
    private final PlantedBug bug;
    private final int keys;
    private final int most;
    private final Map<String, MemoryLock> locks = new HashMap<>();
    private final Map<String, Belief> beliefs = new HashMap<>();
    private final List<Operation<LockInput, LockOutput>> history = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
    private long now;
    private long number;
    private int called;

    private RandomRun(long seed, PlantedBug bug, int keys, int most) {
        random = new SplittableRandom(seed);
        this.bug = bug;
        this.keys = keys;
        this.most = most;
    }

    static List<Operation<LockInput, LockOutput>> history(
            long seed, PlantedBug bug, int clients, int keys, int operations) {
        RandomRun run = new RandomRun(seed, bug, keys, operations);
        for (int i = 0; i < clients; i++) {
            String client = "c" + i;
            run.after(run.random.nextInt(20), () -> run.call(client));
        }
        while (!run.events.isEmpty()) {
            Event event = run.events.remove();
            run.now = event.time();
            event.action().run();
        }
        return run.history;
    }

    private void call(String client) {
        if (called++ >= most) {
            return;
        }
        String key = "k" + random.nextInt(keys);
        Belief belief = beliefs.computeIfAbsent(client + key, none -> new Belief());
        LockInput input = choose(client, belief);
        long start = now;
        if (random.nextInt(100) < LOST_PERCENT) {
            history.add(Operation.ofUnknownOutcome(key, client, start, input));
            if (random.nextBoolean()) {
                after(1 + random.nextInt(200), () -> apply(key, input));
            }
            after(50, () -> call(client));
            return;
        }
        after(1 + random.nextInt(20), () -> {
            LockOutput output = apply(key, input);
            after(random.nextInt(20), () -> {
                history.add(Operation.completed(key, client, start, now, input, output));
                learn(client, belief, input, output);
                after(1 + random.nextInt(20), () -> call(client));
            });
        });
    }

    private LockInput choose(String client, Belief belief) {
        int dice = random.nextInt(100);
        if (dice < 25) {
            return new LockInput.Read();
        }
        if (belief.held > 0 && dice < 85) {
            return new LockInput.Release(client, belief.held);
        }
        if (belief.last > 0 && dice < 40) {
            return new LockInput.Release(client, belief.last);
        }
        return new LockInput.TryAcquire(client);
    }

    private LockOutput apply(String key, LockInput input) {
        LockOutput output = lock(key).apply(input);
        if (input instanceof LockInput.TryAcquire asked
                && output instanceof LockOutput.Granted granted
                && random.nextInt(100) < EXPIRE_PERCENT) {
            after(30 + random.nextInt(200), () -> expire(key, asked.client(), granted.token()));
        }
        return output;
    }

    private void expire(String key, String client, long token) {
        if (lock(key).isHeldBy(client, token)) {
            LockInput input = new LockInput.Expire(client, token);
            LockOutput output = lock(key).apply(input);
            long seen = now + random.nextInt(10);
            history.add(Operation.completed(key, "expiry", now - random.nextInt(10), seen, input, output));
        }
    }

    private static void learn(String client, Belief belief, LockInput input, LockOutput output) {
        if (output instanceof LockOutput.Granted granted) {
            belief.held = granted.token();
            belief.last = granted.token();
        } else if (input instanceof LockInput.Release) {
            belief.held = 0;
        } else if (output instanceof LockOutput.Holder read && read.client().isPresent()) {
            belief.held = read.client().get().equals(client) ? read.token() : 0;
        }
    }

    private MemoryLock lock(String key) {
        return locks.computeIfAbsent(key, none -> new MemoryLock(bug, random));
    }

    private void after(long delay, Runnable action) {
        events.add(new Event(now + delay, number++, action));
    }
}
