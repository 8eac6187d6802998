package dev.holdfast.cli.demo;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the stories are played with: a cluster of three processes, clients, and who tells them. */
final class Stage implements AutoCloseable {
    /** Long enough for an election on a busy machine; nothing on stage takes longer unless it is broken. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Narrator narrator;
    private final LocalNodes nodes;
    private final Path directory;
    private final Queue<Actor> actors = new ConcurrentLinkedQueue<>();

    Stage(Narrator narrator, LocalNodes nodes, Path directory) {
        this.narrator = narrator;
        this.nodes = nodes;
        this.directory = directory;
    }

    Narrator narrator() {
        return narrator;
    }

    LocalNodes nodes() {
        return nodes;
    }

    Path directory() {
        return directory;
    }

    /** A client in this process. */
    HoldfastClient client(String name) {
        return HoldfastClient.builder(nodes.endpoints()).clientId(name).build();
    }

    /** A client in a process of its own, that can be killed and stopped. */
    Actor actor(String name, String key, Duration lease) throws IOException, InterruptedException {
        Actor actor = Actor.start(name, nodes.endpoints(), key, lease, directory.resolve(name + ".out"));
        actors.add(actor);
        return actor;
    }

    /** Waits until somebody holds what it asked for. */
    Grant await(String who, CompletableFuture<Grant> asked) throws InterruptedException {
        try {
            return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new DemoFailure(who + " still waits after " + PATIENCE.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new DemoFailure(who + " was not granted the lock: " + e.getCause());
        }
    }

    /** Waits until the cluster has noted that a client waits, and says why it does. */
    String whyWaits(HoldfastClient client, String who) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            var explanations = client.explain();
            if (!explanations.isEmpty()) {
                return explanations.get(0).steps().get(0).text();
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        throw new DemoFailure(who + " does not wait for anything");
    }

    /** Ends every process, those that stand still too. */
    @Override
    public void close() {
        actors.forEach(Actor::close);
        nodes.close();
    }
}
