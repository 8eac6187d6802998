package dev.holdfast.client.api;

import java.util.Optional;

/**
 * The end of a leadership.
 *
 * @param loss how it was lost; empty if the leader resigned
 */
public record Deposition(Leadership leadership, Optional<Loss> loss) {
    public boolean isResignation() {
        return loss.isEmpty();
    }
}
