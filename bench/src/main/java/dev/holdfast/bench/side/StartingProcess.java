package dev.holdfast.bench.side;

import java.io.IOException;

/** The process that started this one. */
public final class StartingProcess {
    private StartingProcess() {}

    /** Ends this process when its input ends, so that neither it nor its servers outlive whoever started it. */
    public static void endWithIt() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nothing is ever said: only the end matters.
                        }
                    } catch (IOException e) {
                        // As good as the end.
                    }
                    System.exit(1);
                },
                "end with input");
        watch.setDaemon(true);
        watch.start();
    }
}
