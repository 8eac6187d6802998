package dev.holdfast.cli.demo;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The leader dies while clients wait. */
final class LeaderKilled implements Chapter {
    private static final String KEY = "orders/43";
    private static final List<String> WAITING = List.of("bob", "carol", "dave");

    @Override
    public String title() {
        return "The leader dies while clients wait";
    }

    @Override
    public String shown() {
        return "holders keep their locks and waiters their places when the leader dies";
    }

    @Override
    public void play(Stage stage) throws InterruptedException {
        List<HoldfastClient> clients = new ArrayList<>();
        try (HoldfastClient alice = stage.client("alice")) {
            play(stage, alice, clients);
        } finally {
            clients.forEach(HoldfastClient::close);
        }
    }

    private static void play(Stage stage, HoldfastClient alice, List<HoldfastClient> clients)
            throws InterruptedException {
        Narrator narrator = stage.narrator();
        Grant held = stage.await("alice", alice.lock(KEY).acquireAsync());
        narrator.does("alice takes " + KEY + "; bob, carol and dave wait, in this order");
        narrator.comesOut("alice holds it, token " + held.token());
        List<CompletableFuture<Grant>> waiting = new ArrayList<>();
        for (String name : WAITING) {
            HoldfastClient client = stage.client(name);
            clients.add(client);
            waiting.add(client.lock(KEY).acquireAsync());
            narrator.comesOut(stage.whyWaits(client, name));
        }
        long killed = System.nanoTime();
        narrator.does("kill -9 to " + stage.nodes().killLeader() + ", the leader; alice gives the lock back");
        held.release();
        long before = held.token();
        for (int i = 0; i < WAITING.size(); i++) {
            String name = WAITING.get(i);
            Grant grant = stage.await(name, waiting.get(i));
            DemoFailure.unless(grant.token() > before, name + "'s token is not above the one before");
            before = grant.token();
            String after = i == 0 ? "%.1f s after the kill".formatted((System.nanoTime() - killed) / 1e9) : "then";
            narrator.comesOut(after + " " + name + " holds it, token " + grant.token());
            for (int later = i + 1; later < WAITING.size(); later++) {
                DemoFailure.unless(!waiting.get(later).isDone(), WAITING.get(later) + " was granted out of turn");
            }
            grant.release();
        }
        narrator.does(stage.nodes().leader() + " leads now");
    }
}
