package dev.holdfast.server.watch;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.replica.LockReplica;
import java.util.Optional;

/**
 * Finds in the history how a grant was described at some time.
 *
 * <p>No event leads to the description before it, so the history is searched backwards: a piece at a time, for entries
 * are not applied meanwhile.
 */
final class Descriptions {
    private static final int PIECE = 1_024;

    private final LockReplica replica;

    Descriptions(LockReplica replica) {
        this.replica = replica;
    }

    /** The latest before a revision; none if it was never described, or if that is forgotten. */
    Optional<Metadata> latest(FencingToken token, long before) {
        Search search = new Search(token, before - 1);
        boolean more = true;
        while (more) {
            more = replica.<Boolean>ask(search::goOn);
        }
        return search.found;
    }

    private static final class Search {
        private FencingToken token;
        private long next;
        private boolean ended;
        private Optional<Metadata> found = Optional.empty();

        Search(FencingToken token, long from) {
            this.token = token;
            this.next = from;
        }

        /** Looks at one piece; whether there is another. */
        boolean goOn(MachineView view) {
            long last = Math.max(view.oldestRevision(), next - PIECE + 1);
            while (!ended && next >= last) {
                look(view.event(next--));
            }
            return !ended && next >= view.oldestRevision();
        }

        private void look(Event event) {
            if (event instanceof Event.Described described && described.token().equals(token)) {
                found = Optional.of(described.metadata());
                ended = true;
            } else if (event.revision() == token.revision()) {
                begun(event);
            }
        }

        /** What an upgrade found is followed further back. */
        private void begun(Event event) {
            switch (event.kind()) {
                case MODE_CHANGED -> token = ((Event.ModeChanged) event).previousToken();
                case LEASE_STARTED,
                        LEASE_EXTENDED,
                        LEASE_ENDED,
                        QUEUED,
                        LEFT,
                        GRANTED,
                        RELEASED,
                        DESCRIBED,
                        DELAY_ENDED -> ended = true;
            }
        }
    }
}
