package dev.holdfast.cli.lock;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.exit.Failure;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.api.Grant;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** A grant that {@code acquire} printed. */
final class GrantArgument {
    @Parameters(
            paramLabel = "GRANT",
            description = "what acquire printed; - reads it from standard input, where other users of this machine "
                    + "cannot see it")
    private String text = "";

    /** Takes the grant up, which renews it. */
    Grant adopt(HoldfastClient client, Streams streams) throws IOException, InterruptedException {
        String grant =
                text.equals("-") ? Optional.ofNullable(streams.in().readLine()).orElse("") : text;
        try {
            return client.adopt(grant);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    ExitCode.USAGE, "that is not a grant; give the whole text that 'holdfast acquire' printed", e);
        }
    }
}
