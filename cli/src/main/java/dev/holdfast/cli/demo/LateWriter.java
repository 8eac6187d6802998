package dev.holdfast.cli.demo;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import dev.holdfast.datastore.DataStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A holder stands still longer than its lease, wakes up, and writes. */
final class LateWriter implements Chapter {
    private static final String KEY = "accounts/7";
    private static final Duration LEASE = Duration.ofSeconds(2);

    @Override
    public String title() {
        return "A holder stands still, wakes up, and writes";
    }

    @Override
    public String shown() {
        return "a store that checks fencing tokens refuses the late write, and no update is lost";
    }

    @Override
    public void play(Stage stage) throws IOException, InterruptedException {
        Narrator narrator = stage.narrator();
        try (DataStore server = DataStore.start(
                        stage.directory().resolve("store"),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Actor alice = stage.actor("alice", KEY, LEASE);
                HoldfastClient bob = stage.client("bob")) {
            String address = "http://127.0.0.1:" + server.port();
            StoreCalls store = new StoreCalls(address);
            narrator.does("alice, process " + alice.pid() + ", takes " + KEY
                    + " and writes 100 to a data store that checks tokens");
            narrator.comesOut("alice holds it, token " + alice.token());
            accepted(narrator, alice.write(address, "100"));

            CompletableFuture<Grant> bobs = bob.lock(KEY).acquireAsync();
            alice.pause();
            narrator.does(
                    "kill -STOP " + alice.pid() + ": she stands still, as in a long garbage collection; bob waits");
            Grant grant = stage.await("bob", bobs);
            narrator.comesOut("her lease has run out: bob holds it, token " + grant.token());
            narrator.does("bob reads under his token, which keeps lower ones out from then on, and writes 150");
            accepted(narrator, store.read(KEY, grant.token()));
            accepted(narrator, store.write("bob", KEY, grant.token(), "150"));

            alice.resume();
            narrator.does("kill -CONT " + alice.pid()
                    + ": alice wakes up where she was and writes 90, without asking anybody");
            String late = alice.write(address, "90");
            narrator.comesOut(late);
            DemoFailure.unless(late.startsWith("412 "), "the store did not refuse a stale token");
            DemoFailure.unless(!alice.believes(), "alice's client still believes that she holds the lock");
            narrator.comesOut("(had she asked her client: the lock is lost)");
            narrator.does("what the store has");
            String kept = store.read(KEY, grant.token());
            accepted(narrator, kept);
            DemoFailure.unless(kept.contains("150"), "bob's write is gone");
        }
    }

    private static void accepted(Narrator narrator, String answer) {
        narrator.comesOut(answer);
        DemoFailure.unless(answer.startsWith("200 "), "the store refused a holder");
    }
}
