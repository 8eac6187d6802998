package dev.holdfast.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.simulator.log.LogFaults;
import dev.holdfast.simulator.network.NetworkFaults;
import dev.holdfast.simulator.network.Wire;
import dev.holdfast.simulator.world.Trace;
import dev.holdfast.simulator.world.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RestoreTest {
    private final World world = new World(1, Trace.hashed());
    private final SimulatedCluster cluster =
            new SimulatedCluster(world, new Wire(world, NetworkFaults.NONE), 1, LogFaults.NONE, (node, entry) -> {});

    private long epoch() {
        return cluster.node("n1").replica().ask(MachineView::epoch);
    }

    @Test
    void a_backup_from_before_the_last_restore_repeats_no_token() {
        cluster.start();
        byte[] backup = cluster.backup("n1");
        var unusedFirst = cluster.restore(backup, 0, Duration.ZERO);
        long first = epoch();
        var unused = cluster.restore(backup, FencingToken.of(first, 8).value(), Duration.ZERO);
        assertThat(epoch()).isGreaterThan(first);
    }
}
