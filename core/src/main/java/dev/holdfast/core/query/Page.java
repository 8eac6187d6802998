package dev.holdfast.core.query;

import java.util.List;
import java.util.Optional;

/**
 * A part of a listing.
 *
 * @param next where the next page starts; empty if this is the last
 */
public record Page<T, C>(List<T> entries, Optional<C> next) {
    public Page {
        entries = List.copyOf(entries);
    }
}
