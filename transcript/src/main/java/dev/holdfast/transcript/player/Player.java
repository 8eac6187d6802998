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

    /** @param replicas how many machines every entry is applied to */
    public Player(int replicas) {
        Commands commands = new Commands(clients);
        cluster = new Cluster(replicas);
        entries = new Entries(cluster, clients, commands, this::learn);
        clusterSteps = new ClusterSteps(cluster, this::learn);
        questions = new Questions(cluster, clients, commands);
    }

    public List<String> play(Step step) {
        List<String> lines = new ArrayList<>(linesOf(step));
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

    private List<String> linesOf(Step step) {
        if (step instanceof Step.Entry entry) {
            return entries.play(entry);
        } else if (step instanceof Step.OfCluster ofCluster) {
            return clusterSteps.play(ofCluster);
        } else if (step instanceof Step.Question question) {
            return questions.answer(question);
        } else if (step instanceof Step.Watch watch) {
            return watchers.start(watch, cluster.machine().view());
        } else if (step instanceof Step.StopWatching stop) {
            return watchers.stop(stop.name());
        } else if (step instanceof Step.Access access) {
            return List.of(stores.access(access));
        }
        throw new IllegalArgumentException("cannot play " + step);
    }

    private void learn(Event event) {
        clients.learn(event);
        watchers.learn(event);
    }
}
