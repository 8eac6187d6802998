package dev.holdfast.simulator.run;

import dev.holdfast.simulator.world.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Many runs, each on a thread of its own from beginning to end. */
public final class Seeds {
    private static final int KEPT_LINES = 200;

    private Seeds() {}

    /**
     * Runs plans, as many at once as there are threads.
     *
     * @param each told of every report, in the order of the seeds
     */
    public static void run(long first, int count, int threads, LongFunction<Plan> plan, Consumer<Report> each)
            throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Report>> reports = new ArrayList<>();
            for (long seed = first; seed < first + count; seed++) {
                Plan planned = plan.apply(seed);
                Callable<Report> run = () -> Simulation.run(planned, Trace.hashed());
                reports.add(pool.submit(run));
            }
            for (Future<Report> report : reports) {
                each.accept(report.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** The last lines of a run's trace: how it came to what was found at its end. */
    public static List<String> lastLines(Plan plan) {
        ArrayDeque<String> lines = new ArrayDeque<>();
        var unused = Simulation.run(plan, Trace.readBy(line -> {
            lines.add(line);
            if (lines.size() > KEPT_LINES) {
                lines.remove();
            }
        }));
        return List.copyOf(lines);
    }
}
