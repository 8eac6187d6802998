package dev.holdfast.cli.lock;

import dev.holdfast.cli.connect.Connection;
import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Durations;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Output;
import dev.holdfast.cli.output.Printable;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.cli.run.Stop;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.LockCall;
import dev.holdfast.client.api.Grant;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast acquire}: takes a lock and leaves it held. */
@Command(
        name = "acquire",
        description = {
            "Takes a lock and prints the grant, for use with 'renew' and 'release'.",
            "",
            "The lock stays held for --ttl after this command has ended; only 'holdfast renew' or a client that adopts "
                    + "the grant renews it. Whoever has the grant has the lock: treat it like a password. If the work "
                    + "is one command, 'holdfast run' is safer."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the lock is held",
            "64:the command line is wrong",
            "69:no node answers",
            "75:the lock was not free in time",
            "77:the cluster does not permit it"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  grant=$(holdfast acquire deploy/shop --ttl 10m --wait 30)",
            "  holdfast acquire deploy/shop -o json | jq -r .fencing_token"
        })
final class AcquireCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "the lock's key")
    private String key = "";

    @ArgGroup
    private @Nullable KindOptions kind;

    @ArgGroup
    private @Nullable WaitOptions waiting;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "how long the lock is held unless renewed (default: 1m)")
    private Duration ttl = Duration.ZERO;

    @Option(names = "--purpose", paramLabel = "TEXT", description = "shown to anyone who asks who holds the lock")
    private String purpose = "";

    @Mixin
    private final Output output;

    @Mixin
    private final Connection connection = new Connection();

    private final Streams streams;

    AcquireCommand(Streams streams) {
        this.streams = streams;
        this.output = new Output(streams);
    }

    @Override
    public Integer call() {
        Stop stop = Stop.interrupting(Thread.currentThread());
        try (HoldfastClient client = connection.client().build()) {
            LockCall call = KindOptions.of(kind, client, key).lease(ttl).purpose(purpose);
            Grant grant = WaitOptions.acquire(waiting, call)
                    .orElseThrow(() -> new Failure(
                            ExitCode.NOT_ACQUIRED, "the lock was not free in time; 'holdfast show' says who holds it"));
            long token = grant.token();
            print(token, grant.export());
            return ExitCode.OK;
        } catch (InterruptedException e) {
            throw stop.stopped();
        }
    }

    private void print(long token, String grant) {
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("key", key);
            fields.put("fencing_token", Long.toString(token));
            fields.put("ttl_ms", ttl.toMillis());
            fields.put("grant", grant);
            streams.out().println(Json.pretty(fields));
        } else {
            streams.out().println(grant);
            if (streams.terminal()) {
                streams.err()
                        .println(Printable.of(key) + " is held under token " + token + " for "
                                + Durations.text(ttl.toMillis()) + "; 'holdfast renew' or 'holdfast release' it");
            }
        }
        streams.out().flush();
    }
}
