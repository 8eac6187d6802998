package dev.holdfast.cli.demo;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A holder crashes. */
final class Crash implements Chapter {
    private static final String KEY = "reports/nightly";
    private static final Duration LEASE = Duration.ofSeconds(2);

    @Override
    public String title() {
        return "A holder crashes";
    }

    @Override
    public String shown() {
        return "a dead holder's lock is free when its lease has run out, and not before";
    }

    @Override
    public void play(Stage stage) throws IOException, InterruptedException {
        Narrator narrator = stage.narrator();
        try (Actor alice = stage.actor("alice", KEY, LEASE);
                HoldfastClient bob = stage.client("bob")) {
            narrator.does("alice, process " + alice.pid() + ", takes " + KEY + " under a lease of " + LEASE.toSeconds()
                    + " s, renewed while she lives; bob waits");
            narrator.comesOut("alice holds it, token " + alice.token());
            CompletableFuture<Grant> bobs = bob.lock(KEY).acquireAsync();
            narrator.comesOut(stage.whyWaits(bob, "bob"));
            DemoFailure.unless(!bobs.isDone(), "bob was granted what alice holds");
            long killed = System.nanoTime();
            alice.kill();
            narrator.does("kill -9 " + alice.pid() + ": nobody gives the lock back");
            Grant grant = stage.await("bob", bobs);
            narrator.comesOut("%.1f s later the lease has run out: bob holds it, token %d"
                    .formatted((System.nanoTime() - killed) / 1e9, grant.token()));
            DemoFailure.unless(grant.token() > alice.token(), "bob's token is not above alice's");
        }
    }
}
