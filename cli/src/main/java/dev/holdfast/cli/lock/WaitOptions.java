package dev.holdfast.cli.lock;

import dev.holdfast.cli.output.Durations;
import dev.holdfast.client.LockCall;
import dev.holdfast.client.api.Grant;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How long to wait for a lock: without limit by default. One option group, because only one of them can be given. */
final class WaitOptions {
    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "wait at most this long, in seconds or with a unit, then exit with 75 (default: no limit)")
    private @Nullable Duration longest;

    @Option(names = "--no-wait", description = "do not wait; exit with 75 if the lock is not free")
    private boolean never;

    /** Asks for a lock and waits as was said. */
    static Optional<Grant> acquire(@Nullable WaitOptions options, LockCall call) throws InterruptedException {
        if (options == null) {
            return Optional.of(call.acquire());
        }
        Duration longest = options.longest;
        return options.never || longest == null
                ? call.tryAcquire()
                : call.waitAtMost(longest).tryAcquire();
    }

    /** A bare number is seconds, as with other tools of this kind. */
    static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Durations.parse(text.matches("[0-9]{1,9}") ? text + "s" : text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
