package dev.holdfast.chaos;

import dev.holdfast.protocol.v1.ClientFrame;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Hello;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.ServerFrame;
import dev.holdfast.protocol.v1.ServerMessage;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A process with very many sessions that do nothing but renew their leases. */
final class IdleSessions implements AutoCloseable {
    private static final int OPENING_AT_ONCE = 200;

    private final Process process;
    private final BufferedReader answers;

    /** Starts it, and returns when all sessions have their leases. */
    IdleSessions(List<String> addresses, int count, Duration ttl) throws IOException {
        List<String> command = ServerClasses.command(
                "1g",
                IdleSessions.class,
                String.join(",", addresses),
                Integer.toString(count),
                Long.toString(ttl.toMillis()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
        String said = answers.readLine();
        if (!"open".equals(said)) {
            close();
            throw new IOException("the sessions' process said " + said);
        }
    }

    /** How many leases have ended, or were lost with their stream. */
    int lost() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return Integer.parseInt(answers.readLine());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Takes the addresses, how many, and the leases' milliseconds. */
    public static void main(String[] arguments) throws Exception {
        List<String> addresses = List.of(arguments[0].split(",", -1));
        int count = Integer.parseInt(arguments[1]);
        long ttlMillis = Long.parseLong(arguments[2]);
        AtomicInteger lost = new AtomicInteger();
        CountDownLatch open = new CountDownLatch(count);
        Semaphore opening = new Semaphore(OPENING_AT_ONCE);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        Clients clients = new Clients();
        for (int i = 1; i <= count; i++) {
            opening.acquire();
            Session session = new Session(i, lost, () -> {
                open.countDown();
                opening.release();
            });
            StreamObserver<ClientFrame> requests =
                    clients.streams(addresses.get(i % addresses.size())).session(session);
            requests.onNext(session.begin(ttlMillis));
            // A third of the time, each at another moment.
            long period = ttlMillis / 3;
            var unused = timer.scheduleAtFixedRate(
                    () -> requests.onNext(session.renewal()),
                    period * i / count + period,
                    period,
                    TimeUnit.MILLISECONDS);
        }
        open.await();
        System.out.println("open");
        while (System.in.read() >= 0) {
            System.out.println(lost.get());
        }
        System.exit(0);
    }

    /** What comes from the server in one of them. */
    private static final class Session implements StreamObserver<ServerFrame> {
        private final long lease;
        private final AtomicInteger lost;
        private final Runnable opened;
        private long lastId;

        Session(long lease, AtomicInteger lost, Runnable opened) {
            this.lease = lease;
            this.lost = lost;
            this.opened = opened;
        }

        ClientFrame begin(long ttlMillis) {
            return ClientFrame.newBuilder()
                    .addMessages(ClientMessage.newBuilder()
                            .setId(++lastId)
                            .setHello(Hello.newBuilder().setClientId("idle-" + lease)))
                    .addMessages(ClientMessage.newBuilder()
                            .setId(++lastId)
                            .setLeaseGrant(
                                    LeaseGrantRequest.newBuilder().setId(lease).setTtlMs(ttlMillis)))
                    .build();
        }

        ClientFrame renewal() {
            return ClientFrame.newBuilder()
                    .addMessages(ClientMessage.newBuilder()
                            .setId(++lastId)
                            .setRenew(Renew.newBuilder().addLeaseIds(lease)))
                    .build();
        }

        @Override
        public void onNext(ServerFrame frame) {
            for (ServerMessage message : frame.getMessagesList()) {
                if (message.hasLeaseGranted()) {
                    opened.run();
                } else if (message.hasLeaseEnded()
                        || (message.hasRenewed() && message.getRenewed().getEndMs(0) < 0)
                        || message.hasError()) {
                    System.err.println("session " + lease + ": " + message);
                    lost.incrementAndGet();
                }
            }
        }

        @Override
        public void onError(Throwable failure) {
            System.err.println("session " + lease + ": " + failure);
            lost.incrementAndGet();
        }

        @Override
        public void onCompleted() {
            lost.incrementAndGet();
        }
    }
}
