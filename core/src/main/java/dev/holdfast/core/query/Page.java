package dev.holdfast.core.query;

import java.util.List;
import java.util.Optional;

/**
 * A part of a listing.
 *
 * @param next where the next page starts; empty if this is the last
 * @param complete false if something is missing that no further page brings: there was too much to look at
 */
public record Page<T, C>(List<T> entries, Optional<C> next, boolean complete) {
    public Page {
        entries = List.copyOf(entries);
    }

    public Page(List<T> entries, Optional<C> next) {
        this(entries, next, true);
    }
}
