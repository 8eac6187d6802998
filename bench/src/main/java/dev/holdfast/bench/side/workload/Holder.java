package dev.holdfast.bench.side.workload;

import dev.holdfast.bench.side.LockSystem;
import dev.holdfast.bench.side.Site;
import dev.holdfast.bench.side.StartingProcess;
import dev.holdfast.bench.side.Variant;
import java.time.Duration;
import java.util.List;

/** A process that holds a lock until it is killed, and prints {@link #HELD} once it does. */
public final class Holder {
    static final String HELD = "held";

    private Holder() {}

    /** The command that starts it. */
    static List<String> command(LockSystem system, Site site, String endpoints, String key) {
        Variant variant = site.variant();
        return site.java(
                Holder.class.getName(),
                system.getClass().getName(),
                endpoints,
                key,
                variant.name(),
                variant.ttl().toString());
    }

    public static void main(String[] arguments) throws Exception {
        StartingProcess.endWithIt();
        Variant variant = new Variant(arguments[3], Duration.parse(arguments[4]));
        LockSystem.named(arguments[0])
                .connect(arguments[1], variant)
                .mutex(arguments[2])
                .lock();
        System.out.println(HELD);
        Thread.sleep(Long.MAX_VALUE);
    }
}
