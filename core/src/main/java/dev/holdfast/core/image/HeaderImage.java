package dev.holdfast.core.image;

import dev.holdfast.core.Limits;

/**
 * What the state has only one of, as a value.
 *
 * @param quarantineEndMillis cluster time until which nothing is granted after a restore
 * @param historyFloor the oldest revision whose event is kept
 * @param sweptBelow where looking for those who can be granted goes on; {@code Long.MIN_VALUE} for the oldest
 * @param sweepEnd the last revision before that sweep began; 0 for none
 */
public record HeaderImage(
        long epoch,
        long revision,
        long now,
        int featureLevel,
        long quarantineEndMillis,
        long historyFloor,
        long sweptBelow,
        long sweepEnd,
        Limits limits) {}
