package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.WatchCall;
import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Watch;
import dev.holdfast.client.api.WatchEvent;
import dev.holdfast.protocol.v1.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast watch}: what happens to locks, as it happens. */
@Command(
        name = "watch",
        description = {
            "Prints what happens to one or many locks as it happens: one line, or one JSON object, per event.",
            "",
            "It continues by itself when a node dies. Each event comes once, in order; with --from, events behind that "
                    + "cursor come first. Without a key or a prefix it watches every lock. Ctrl-C ends it."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:--limit was reached",
            "1:events since --from are gone; the message says where to start instead",
            "69:no node answers",
            "130:Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  holdfast watch orders/42",
            "  holdfast watch --prefix orders/ --from 0-1200 --all -o json | jq .what",
            "  holdfast watch nightly --limit 1                  wait until something happens"
        })
final class WatchCommand implements Callable<Integer> {
    @ArgGroup
    private @Nullable What what;

    @Option(
            names = "--from",
            paramLabel = "CURSOR",
            description = "start with what happened behind this cursor, which comes with each event; or with this "
                    + "revision, if no backup was ever restored")
    private @Nullable String from;

    @Option(names = "--all", description = "also show who joins and leaves the queue, and when a lock-delay ends")
    private boolean all;

    @Option(names = "--limit", paramLabel = "N", description = "end after N events (default: never)")
    private @Nullable Long limit;

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    WatchCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    /** One of the two. */
    static final class What {
        @Parameters(paramLabel = "NAME", description = "the lock's key")
        private @Nullable String key;

        @Option(names = "--prefix", paramLabel = "PREFIX", description = "all keys that start with PREFIX")
        private @Nullable String prefix;
    }

    @Override
    public Integer call() throws InterruptedException {
        long most = limit == null ? Long.MAX_VALUE : limit;
        try (HoldfastClient client = connection.client().build();
                Watch watch = call(client).open()) {
            for (long i = 0; i < most; i++) {
                WatchEvent event = watch.next();
                print(EventLines.message(event), event.cursor());
            }
            return ExitCode.OK;
        } catch (CompactedException e) {
            throw new Failure(ExitCode.DIFFERENT, e.getMessage() + "; 'holdfast ls', then watch --from " + e.next(), e);
        }
    }

    private WatchCall call(HoldfastClient client) {
        What wanted = what;
        String key = wanted == null ? null : wanted.key;
        String prefix = wanted == null || wanted.prefix == null ? "" : wanted.prefix;
        WatchCall call = key != null ? client.watch(key) : client.watch(prefix).prefix();
        WatchCall begun = from == null ? call : begin(call, from);
        return all ? begun.allEvents() : begun;
    }

    private static WatchCall begin(WatchCall call, String from) {
        try {
            return from.matches("[0-9]{1,15}") ? call.from(Long.parseLong(from)) : call.from(from);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    ExitCode.USAGE, "--from: '" + from + "' is neither a cursor, such as 0-1200, nor a revision", e);
        }
    }

    private void print(Event event, String cursor) {
        switch (output.format()) {
            case TABLE -> streams.out().println(line(event, cursor));
            case JSON -> streams.out().println(Json.line(event, Map.of("cursor", cursor)));
            case NAME -> streams.out().println(Printable.of(event.getKv().getKey()));
        }
        streams.out().flush();
    }

    private static String line(Event event, String cursor) {
        List<String> parts = new ArrayList<>(List.of(
                Words.time(event.getWallMs()),
                "cursor " + cursor,
                event.getKv().getKey(),
                EventLines.what(event),
                event.getKv().getHolderId()));
        if (event.getKv().getFencingToken() != 0) {
            parts.add("token " + event.getKv().getFencingToken());
        }
        if (!EventLines.note(event).isEmpty()) {
            parts.add("(" + EventLines.note(event) + ")");
        }
        return Printable.of(String.join("  ", parts));
    }
}
