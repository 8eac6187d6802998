package dev.holdfast.server.request;

import dev.holdfast.core.result.Result;

/** What applying a command gave, and where. */
public record Answer(Result result, Stamp stamp) {}
