package dev.holdfast.chaos;

import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client in a process of its own that holds very many locks, each under a lease of its own, until it is killed. */
final class ManyLeases {
    static final Duration TTL = Duration.ofSeconds(5);

    private ManyLeases() {}

    static String key(int number) {
        return "many/" + number;
    }

    /** Starts it, and returns when it holds all. */
    static Process start(String endpoints, int leases) throws IOException {
        List<String> command = ServerClasses.command("512m", ManyLeases.class, endpoints, Integer.toString(leases));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (!"held".equals(process.inputReader(StandardCharsets.US_ASCII).readLine())) {
            process.destroyForcibly();
            throw new IOException("the holder ended");
        }
        return process;
    }

    /** Takes the endpoints and how many. */
    public static void main(String[] arguments) {
        HoldfastClient client = HoldfastClient.create(arguments[0]);
        List<CompletableFuture<Grant>> grants = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            grants.add(client.lock(key(i)).lease(TTL).acquireAsync());
        }
        grants.forEach(CompletableFuture::join);
        System.out.println("held");
        // Kept by the client's threads until the process is killed.
    }
}
