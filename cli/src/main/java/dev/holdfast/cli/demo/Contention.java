package dev.holdfast.cli.demo;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.util.concurrent.CompletableFuture;

/** Three want the same lock. */
final class Contention implements Chapter {
    private static final String KEY = "orders/42";

    @Override
    public String title() {
        return "Three want the same lock";
    }

    @Override
    public String shown() {
        return "one holder at a time, first come first served, each woken by the cluster";
    }

    @Override
    public void play(Stage stage) throws InterruptedException {
        Narrator narrator = stage.narrator();
        try (HoldfastClient alice = stage.client("alice");
                HoldfastClient bob = stage.client("bob");
                HoldfastClient carol = stage.client("carol")) {
            Grant first = stage.await(
                    "alice", alice.lock(KEY).purpose("ship the order").acquireAsync());
            narrator.does("alice takes " + KEY);
            narrator.comesOut("alice holds it, token " + first.token());
            CompletableFuture<Grant> bobs = bob.lock(KEY).acquireAsync();
            String whyBob = stage.whyWaits(bob, "bob");
            CompletableFuture<Grant> carols = carol.lock(KEY).acquireAsync();
            String whyCarol = stage.whyWaits(carol, "carol");
            narrator.does("bob asks for it, then carol; both ask the cluster why they wait");
            narrator.comesOut(whyBob);
            narrator.comesOut(whyCarol);
            DemoFailure.unless(!bobs.isDone() && !carols.isDone(), "a lock was granted that alice holds");

            first.release();
            Grant second = stage.await("bob", bobs);
            narrator.does("alice gives it back");
            narrator.comesOut("bob holds it, token " + second.token());
            DemoFailure.unless(second.token() > first.token(), "bob's token is not above alice's");
            DemoFailure.unless(!carols.isDone(), "carol was granted what bob holds");
            second.release();
            Grant third = stage.await("carol", carols);
            narrator.does("bob gives it back");
            narrator.comesOut("carol holds it, token " + third.token());
            DemoFailure.unless(third.token() > second.token(), "carol's token is not above bob's");
        }
    }
}
