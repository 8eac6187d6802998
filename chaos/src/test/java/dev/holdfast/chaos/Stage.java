package dev.holdfast.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the processes that {@link Alone} starts have in common: a network, a cluster in it, and an end. */
final class Stage {
    private Stage() {}

    /** Makes the network. */
    interface Networks {
        Network make(Path root) throws Exception;
    }

    /** Makes the cluster; its nodes are not started. */
    interface Clusters {
        Cluster make(Path root, Network network) throws Exception;
    }

    /** Does something to the network or the cluster. */
    interface Play {
        void run(Network network, Cluster cluster) throws Exception;
    }

    /** Starts a node in every place of the network, runs the play and ends this process, with 0 if all went well. */
    static void run(Path root, Networks networks, Map<String, String> settings, Play play) {
        run(
                root,
                networks,
                (directory, network) -> Cluster.prepare(directory, network.places(), settings, List.of()),
                play);
    }

    /** The same with nodes that are not in every place, or not all alike. */
    static void run(Path root, Networks networks, Clusters clusters, Play play) {
        int code = 1;
        try (Network network = networks.make(root);
                Cluster cluster = clusters.make(root, network)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(cluster)));
            try {
                cluster.startAll();
                play.run(network, cluster);
                code = 0;
            } catch (Exception | AssertionError e) {
                e.printStackTrace();
                System.out.println(cluster.outputs());
            }
        } catch (Exception e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code); // whatever threads a failure left
    }

    private static void close(Cluster cluster) {
        try {
            cluster.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
