package dev.holdfast.core.query;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.event.EndReason;

/** Whose grant ended, how, and how long it had been held. */
public record GrantEnd(LeaseId lease, EndReason reason, long heldMillis) {}
