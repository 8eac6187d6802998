package dev.holdfast.cli.demo;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Logging;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * One who plays in the demonstration: takes a lock, then does as it is told, a line at a time.
 *
 * <p>It is reckless on purpose: it writes without asking its client whether the lock is still held, which the client
 * would deny. Programs do that, in the moment between asking and writing.
 */
@Command(name = ActorCommand.NAME, hidden = true)
final class ActorCommand implements Callable<Integer> {
    static final String NAME = "demo-actor";
    static final String HOLDS = "holds";
    static final String VALID = "valid";
    static final String WRITE = "write";

    @Parameters(index = "0")
    private String name = "";

    @Parameters(index = "1")
    private String endpoints = "";

    @Parameters(index = "2")
    private String key = "";

    @Parameters(index = "3")
    private Duration lease = Duration.ZERO;

    private final Streams streams;

    ActorCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.errorsOnly();
        try (HoldfastClient client = HoldfastClient.builder(endpoints)
                .clientId(name)
                .sessionTtl(lease)
                .build()) {
            Grant grant = client.lock(key).acquire();
            say(HOLDS, Long.toString(grant.token()));
            String line = streams.in().readLine();
            while (line != null) {
                obey(grant, List.of(line.split(" ", 3)));
                line = streams.in().readLine();
            }
        }
        return ExitCode.OK;
    }

    private void obey(Grant grant, List<String> words) throws IOException, InterruptedException {
        if (words.get(0).equals(VALID)) {
            say(VALID, Boolean.toString(grant.isValid()));
        } else if (words.get(0).equals(WRITE)) {
            say(WRITE, new StoreCalls(words.get(1)).write(name, key, grant.token(), words.get(2)));
        }
    }

    private void say(String about, String what) {
        streams.out().println(about + " " + what);
        streams.out().flush();
    }
}
