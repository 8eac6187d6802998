package dev.holdfast.simulator.log;

import java.util.List;
import java.util.function.Consumer;

/** The other nodes, as far as messages reach them: late, not at all, twice or in another order. */
public interface LogPeers {
    List<String> names();

    /** Has the log of another node do something, if the message arrives while it runs. */
    void send(String from, String to, Consumer<SimulatedLog> message);

    /**
     * A node takes an entry for committed.
     *
     * @param entry the same object on all nodes
     */
    void committed(String node, long index, Object entry);
}
