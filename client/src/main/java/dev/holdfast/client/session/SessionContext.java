package dev.holdfast.client.session;

import dev.holdfast.client.network.Network;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.client.time.Timers;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** What the parts of a session share. */
record SessionContext(
        SessionSettings settings,
        Network network,
        ElapsedClock clock,
        Timers timers,
        SerialExecutor executor,
        Executor callbacks,
        RandomGenerator random) {}
