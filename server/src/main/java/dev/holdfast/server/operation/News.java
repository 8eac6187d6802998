package dev.holdfast.server.operation;

import dev.holdfast.core.event.Event;
import dev.holdfast.server.request.Answer;
import dev.holdfast.server.request.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * An event that may be news to a client.
 *
 * @param ending the answer to a request whose wait it ended; null if it ended none
 */
public record News(Event event, @Nullable Answer ending, Stamp stamp) {

    /** Whether it ended the wait of this request. */
    boolean ends(RequestId id) {
        return ending != null
                && event instanceof Event.OfLocks ofLocks
                && RequestId.of(ofLocks).equals(id);
    }
}
