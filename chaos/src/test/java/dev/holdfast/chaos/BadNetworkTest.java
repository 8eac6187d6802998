package dev.holdfast.chaos;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Networks that lose, delay and choke. What is tested is in {@link BadNetwork}. */
class BadNetworkTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path root;

    @Test
    void a_bad_network_makes_it_slow_and_neither_wrong_nor_restless() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "links in user space take TUN devices, which are not there");
        Alone.run(
                BadNetwork.class,
                root,
                Duration.ofMinutes(Figures.times(5, 20)),
                Integer.toString(Figures.times(10, 120)));
    }
}
