package dev.holdfast.core.query;

import dev.holdfast.core.event.EndReason;

/** How a grant ended, and how long it had been held. */
public record GrantEnd(EndReason reason, long heldMillis) {}
