package dev.holdfast.testkit;

import dev.holdfast.client.session.Session;
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

    Session session() {
        return client.session();
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
            // No turn is under way: they are taken by this thread alone, and this is none.
            session()
                    .barred(Error.newBuilder()
                            .setCode(Code.UNAVAILABLE)
                            .setMessage(why)
                            .build());
            doorway.open();
        }
    }
}
