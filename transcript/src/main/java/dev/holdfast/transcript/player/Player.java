package dev.holdfast.transcript.player;

import dev.holdfast.core.event.Event;
import dev.holdfast.transcript.step.Step;
import java.util.ArrayList;
import java.util.List;

/** Plays steps on a cluster of lock machines and says what comes out, line by line. */
public final class Player {
    private final Clients clients = new Clients();
    private final Watchers watchers = new Watchers();
    private final Stores stores = new Stores();
    private final Cluster cluster;
    private final Entries entries;
    private final ClusterSteps clusterSteps;
    private final Questions questions;
    private final Parts parts = new Parts();

    /** @param replicas how many machines every entry is applied to */
    public Player(int replicas) {
        Commands commands = new Commands(clients);
        cluster = new Cluster(replicas);
        entries = new Entries(cluster, clients, commands, this::learn);
        clusterSteps = new ClusterSteps(cluster, this::learn);
        questions = new Questions(cluster, clients, commands);
    }

    public List<String> play(Step step) {
        List<String> lines = new ArrayList<>(step.match(parts));
        lines.addAll(watchers.takeTold(cluster.machine().view()));
        return lines;
    }

    /** The leader's clock, which stamps the next entry. */
    public long clockMillis() {
        return cluster.clockMillis();
    }

    /** Moves the leader's clock on; it never goes back. */
    public void moveClockTo(long millis) {
        cluster.moveClockTo(millis);
    }

    /** Cluster time before which nothing happens by itself; {@code Long.MAX_VALUE} if nothing ever does. */
    public long nextDeadlineMillis() {
        return cluster.machine().nextDeadlineMillis();
    }

    /** Who plays which kind of step. */
    private final class Parts implements Step.Cases<List<String>> {
        @Override
        public List<String> entry(Step.Entry step) {
            return entries.play(step);
        }

        @Override
        public List<String> ofCluster(Step.OfCluster step) {
            return step.match(clusterSteps);
        }

        @Override
        public List<String> question(Step.Question step) {
            return step.match(questions);
        }

        @Override
        public List<String> watch(Step.Watch step) {
            return watchers.start(step, cluster.machine().view());
        }

        @Override
        public List<String> stopWatching(Step.StopWatching step) {
            return watchers.stop(step.name());
        }

        @Override
        public List<String> access(Step.Access step) {
            return List.of(stores.access(step));
        }
    }

    private void learn(Event event) {
        clients.learn(event);
        watchers.learn(event);
    }
}
