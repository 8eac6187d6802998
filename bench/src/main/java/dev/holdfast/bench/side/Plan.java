package dev.holdfast.bench.side;

import java.time.Duration;

/**
 * How long a workload is played.
 *
 * @param warmUp before anything counts
 * @param measured each repetition
 */
public record Plan(Duration warmUp, Duration measured, int repetitions) {}
