package dev.holdfast.chaos;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.LockCall;
import dev.holdfast.client.api.Grant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client in a process of its own whose clocks may be wrong. It takes many locks, keeps each for a while, and writes
 * down by the true clock from when to when it believed to hold it: neither a moment too early nor one too late.
 */
final class DriftingHolder {
    private static final long LOOK_NANOS = 1_000_000;
    private static final long ONE_MOMENT_NANOS = 50_000;

    private final HoldfastClient client;
    private final Duration ttl;
    private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();
    private final List<Held> held = new ArrayList<>();
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    private volatile boolean stopping;

    private DriftingHolder(HoldfastClient client, Duration ttl) {
        this.client = client;
        this.ttl = ttl;
    }

    /** How long a lock is kept. */
    enum Use {
        /** For as long as one is let, and one is not let longer than a TTL. */
        TO_THE_END,
        /** Given back soon. */
        BRIEF,
        /** Renewed, and given back after some TTLs unless it is lost. */
        LONG;

        /** What is done with the key of a number. */
        static Use of(int number) {
            return values()[number % values().length];
        }
    }

    private static final class Held {
        private final String key;
        private final Use use;
        private final Grant grant;
        private final long begin;
        private final long giveBack;
        private long last;

        Held(String key, Use use, Grant grant, long begin, long giveBack) {
            this.key = key;
            this.use = use;
            this.grant = grant;
            this.begin = begin;
            this.last = begin;
            this.giveBack = giveBack;
        }
    }

    private void ask(String key, Use use) {
        if (stopping) {
            return;
        }
        LockCall call = client.lock(key);
        CompletableFuture<Grant> wait = (use == Use.TO_THE_END ? call.maxHold(ttl) : call).acquireAsync();
        var unused = wait.whenComplete((grant, failure) -> news.add(() -> {
            if (failure == null) {
                took(key, use, grant);
            } else {
                ask(key, use);
            }
        }));
    }

    private void took(String key, Use use, Grant grant) {
        if (!grant.isValid()) {
            ask(key, use);
            return;
        }
        // After it was found to be valid: it is held at this moment, if it still is at a later one.
        long begin = TrueClock.nanos();
        long millis = switch (use) {
            case TO_THE_END -> TimeUnit.DAYS.toMillis(1);
            case BRIEF -> random.nextInt(200, 1_000);
            case LONG -> random.nextLong(ttl.toMillis(), 4 * ttl.toMillis());
        };
        held.add(new Held(key, use, grant, begin, begin + TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    /** By one thread only. */
    private void look() {
        for (Runnable each = news.poll(); each != null; each = news.poll()) {
            each.run();
        }
        List<Held> over = new ArrayList<>();
        for (Held each : held) {
            // Before it is found to be valid: then it was valid at this moment.
            long now = TrueClock.nanos();
            if (!each.grant.isValid()) {
                tell(each, "ended");
                over.add(each);
            } else {
                each.last = now;
                if (now - each.giveBack >= 0) {
                    tell(each, "released");
                    over.add(each);
                }
            }
        }
        held.removeAll(over);
        for (Held each : over) {
            each.grant.close();
            ask(each.key, each.use);
        }
        out.flush();
    }

    private void tell(Held each, String how) {
        out.println("hold " + each.key + " " + each.grant.token() + " " + each.begin + " " + each.last + " " + each.use
                + " " + how);
    }

    /** What this process's clock and the true one show at one moment. */
    private record Moment(long own, long real) {
        static Moment now() {
            while (true) {
                long before = TrueClock.nanos();
                Moment moment = new Moment(System.nanoTime(), before);
                if (TrueClock.nanos() - before < ONE_MOMENT_NANOS) {
                    return moment;
                }
            }
        }

        double rateSince(Moment earlier) {
            return (double) (own - earlier.own) / (real - earlier.real);
        }
    }

    private void run(String prefix, int keys, Moment begun) {
        for (int i = 0; i < keys; i++) {
            ask(prefix + i, Use.of(i));
        }
        while (!stopping) {
            look();
            LockSupport.parkNanos(LOOK_NANOS);
        }
        out.println("rate " + Moment.now().rateSince(begun));
        out.flush();
    }

    /** Takes the file to load, the nodes, what its keys begin with, how many there are, and milliseconds. Ends with its input. */
    public static void main(String[] arguments) throws Exception {
        System.load(arguments[0]);
        Moment begun = Moment.now();
        if (canRead(Path.of("/proc/uptime"))) {
            throw new IllegalStateException("the client could see the true time");
        }
        Duration ttl = Duration.ofMillis(Long.parseLong(arguments[4]));
        try (HoldfastClient client =
                HoldfastClient.builder(arguments[1]).sessionTtl(ttl).build()) {
            DriftingHolder holder = new DriftingHolder(client, ttl);
            Thread work = new Thread(() -> holder.run(arguments[2], Integer.parseInt(arguments[3]), begun), "holder");
            work.start();
            try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
                while (in.readLine() != null) {
                    // Nothing is said to it.
                }
            }
            holder.stopping = true;
            work.join();
        }
        System.exit(0);
    }

    private static boolean canRead(Path file) {
        try {
            return !Files.readString(file).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }
}
