package dev.holdfast.contract.pause;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Takes a lock, adds to a tally, gives the lock back, and so on, in a process that is stopped now and then.
 *
 * <p>It is as careful as one can be without a guard: it looks at its grant before each update.
 */
final class Worker {
    /** How often it adds under one grant. */
    static final int UPDATES_PER_GRANT = 20;

    static final String UPDATES = "updates";
    static final String MIDWAY = "midway";
    static final String AWAKE = "awake";
    static final String REST = "rest";
    static final String ACCOUNT = "account";

    private final Tally tally;
    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private long updates;
    private long refused;
    private long stale;
    private boolean holdStill;
    private boolean ended;

    private Worker(Tally tally) {
        this.tally = tally;
    }

    public static void main(String[] arguments) throws Exception {
        try (HoldfastClient client = HoldfastClient.builder(arguments[0])
                        .sessionTtl(Duration.ofMillis(Long.parseLong(arguments[2])))
                        .build();
                Tally tally = Class.forName(arguments[3])
                        .asSubclass(Tally.class)
                        .getConstructor(String.class)
                        .newInstance(arguments[4])) {
            new Worker(tally).work(client, arguments[1]);
        }
    }

    private void work(HoldfastClient client, String key) throws Exception {
        while (!ended) {
            long token;
            try (Grant grant = client.lock(key).acquire()) {
                token = grant.token();
                int left = UPDATES_PER_GRANT;
                while (left > 0 && grant.isValid() && add(grant, left == UPDATES_PER_GRANT / 2)) {
                    left--;
                }
            }
            say(UPDATES + " " + updates + " " + token);
            listen();
        }
        say(ACCOUNT + " " + updates + " " + refused + " " + stale);
    }

    /** @return whether the store took it */
    private boolean add(Grant grant, boolean halfway) throws Exception {
        OptionalLong number = tally.read(grant.token());
        if (number.isEmpty()) {
            refused++;
            return false;
        }
        boolean stopped = holdStill && halfway;
        if (stopped) {
            holdStill = false;
            awaitOrder(MIDWAY + " " + grant.token());
        }
        boolean lost = stopped && !grant.isValid();
        boolean taken = tally.write(grant.token(), number.getAsLong() + 1);
        updates += taken ? 1 : 0;
        refused += taken ? 0 : 1;
        stale += taken && lost ? 1 : 0;
        if (stopped) {
            say(AWAKE);
        }
        return taken;
    }

    /** Says where it is, and goes on when it is told to. */
    private void awaitOrder(String where) throws IOException {
        say(where);
        String order = orders.readLine();
        if (!AWAKE.equals(order)) {
            throw new IOException("told '" + order + "' while it held still");
        }
    }

    private void listen() throws IOException {
        while (orders.ready()) {
            String order = orders.readLine();
            holdStill |= MIDWAY.equals(order);
            ended |= ACCOUNT.equals(order);
            if (REST.equals(order)) {
                awaitOrder(REST);
                say(AWAKE);
            }
        }
    }

    @SuppressWarnings("SystemOut") // this is how it talks to the process that started it
    private static void say(String line) {
        System.out.println(line);
    }
}
