package dev.holdfast.testkit;

import dev.holdfast.client.core.ClientCore;
import dev.holdfast.protocol.v1.Code;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.simulator.client.SimulatedClient;
import dev.holdfast.simulator.world.SimulatedProcess;

/** A simulated process with a client that real threads use. Touched by the clockwork's thread alone. */
final class TestProcess {
    private final SimulatedClient client;
    private final Doorway doorway;

    TestProcess(SimulatedClient client, Doorway doorway) {
        this.client = client;
        this.doorway = doorway;
    }

    ClientCore core() {
        return client.core();
    }

    SimulatedProcess process() {
        return client.process();
    }

    void resume() {
        process().resume();
        doorway.open();
    }

    /** Ends it without a word to the cluster; whoever waits for its client is told why. */
    void kill(String why) {
        if (process().isAlive()) {
            client.kill();
            // No task of the session is running: this thread alone runs them.
            core().session()
                    .barred(Error.newBuilder()
                            .setCode(Code.UNAVAILABLE)
                            .setMessage(why)
                            .build());
            doorway.open();
        }
    }
}
