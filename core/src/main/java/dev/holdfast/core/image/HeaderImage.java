package dev.holdfast.core.image;

import dev.holdfast.core.Limits;

/**
 * What the state has only one of, as a value.
 *
 * @param quarantineEndMillis cluster time until which nothing is granted after a restore
 * @param historyFloor the oldest revision whose event is kept
 */
public record HeaderImage(
        long epoch,
        long revision,
        long now,
        int featureLevel,
        long quarantineEndMillis,
        long historyFloor,
        Limits limits) {}
