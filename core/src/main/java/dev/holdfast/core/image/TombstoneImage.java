package dev.holdfast.core.image;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.EndReason;

/** An ended lease that is still remembered, as a value. */
public record TombstoneImage(LeaseId id, String principal, EndReason reason, long endedAtMillis) {}
