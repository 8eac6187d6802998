package dev.holdfast.bench.side;

import java.util.List;

/**
 * The servers of a system, running.
 *
 * @param endpoints what a client is given, separated by commas
 */
public record Cluster(String endpoints, List<ServerProcess> servers) implements AutoCloseable {
    @Override
    public void close() {
        servers.forEach(ServerProcess::close);
    }
}
