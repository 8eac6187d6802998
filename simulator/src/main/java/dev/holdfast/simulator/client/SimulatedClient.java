package dev.holdfast.simulator.client;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.core.ClientHost;
import dev.holdfast.client.network.GrpcNetwork;
import dev.holdfast.client.network.Network;
import dev.holdfast.client.session.SerialExecutor;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.session.SessionEvents;
import dev.holdfast.client.session.SessionSettings;
import dev.holdfast.client.time.ElapsedClock;
import dev.holdfast.simulator.network.Host;
import dev.holdfast.simulator.node.SimulatedCluster;
import dev.holdfast.simulator.world.SimulatedProcess;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One run of a process with a client in it: the real session, with its validity, repetitions and request ids. */
public final class SimulatedClient {
    private static final int CALLBACK_NANOS = 200_000;

    private final SimulatedProcess process;
    private final Host host;
    private final ClientCore core;

    /** A client all of whose threads are simulated. */
    public SimulatedClient(SimulatedProcess process, SimulatedCluster cluster, SessionSettings settings) {
        this(process, cluster, settings, process.world().chance());
    }

    private SimulatedClient(
            SimulatedProcess process, SimulatedCluster cluster, SessionSettings settings, RandomGenerator chance) {
        this(
                process,
                cluster,
                settings,
                task -> {
                    process.arrive(chance.nextInt(CALLBACK_NANOS), task);
                    return true;
                },
                task -> process.arrive(chance.nextInt(CALLBACK_NANOS), task),
                SessionEvents.NONE,
                chance);
    }

    /**
     * A client that is used by threads of its own choice.
     *
     * @param spare has the session's tasks run by the thread that works the world off
     * @param callbacks where users' code runs
     */
    public SimulatedClient(
            SimulatedProcess process,
            SimulatedCluster cluster,
            SessionSettings settings,
            SerialExecutor.SpareThread spare,
            Executor callbacks,
            SessionEvents events,
            RandomGenerator chance) {
        this.process = process;
        this.host = Host.caller(process);
        Network network =
                new TimedNetwork(new GrpcNetwork(address -> cluster.channel(host, address), CallOptions.DEFAULT));
        this.core = new ClientCore(new Session(
                settings,
                cluster.names(),
                network,
                new ElapsedClock(process),
                process,
                spare,
                callbacks,
                chance,
                events));
    }

    public ClientCore core() {
        return core;
    }

    /** The client as users see it. None of its calls may block: nobody else would go on meanwhile. */
    public HoldfastClient api() {
        ClientHost here = new ClientHost() {
            @Override
            public ClientCore open(SessionSettings settings, @Nullable Executor callbacks, SessionEvents events) {
                return core;
            }

            @Override
            public void close(ClientCore unused) {}
        };
        return HoldfastClient.builder("simulated:1").host(here).build();
    }

    public SimulatedProcess process() {
        return process;
    }

    public Host host() {
        return host;
    }

    /** As SIGKILL does. */
    public void kill() {
        process.kill();
        host.hangUp();
    }

    /** Ends single calls in virtual time: gRPC would look at the real clock. */
    private final class TimedNetwork implements Network {
        private final Network inner;

        TimedNetwork(Network inner) {
            this.inner = inner;
        }

        @Override
        public Line open(String endpoint, Receiver receiver) {
            return inner.open(endpoint, receiver);
        }

        @Override
        public <Q, A> CompletableFuture<A> call(
                String endpoint, MethodDescriptor<Q, A> method, Q question, Duration timeout) {
            CompletableFuture<A> answer = inner.call(endpoint, method, question, timeout);
            var unused = process.schedule(
                    timeout.toNanos(),
                    () -> answer.completeExceptionally(Status.DEADLINE_EXCEEDED.asRuntimeException()));
            return answer;
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
