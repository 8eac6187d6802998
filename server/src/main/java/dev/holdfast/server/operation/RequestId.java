package dev.holdfast.server.operation;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import java.util.Optional;

/**
 * Which request of a lease something is about.
 *
 * @param key only for a request without a seq, which is known by it
 */
public record RequestId(LeaseId lease, long seq, Optional<LockKey> key) {

    public static RequestId of(LeaseId lease, long seq, LockKey key) {
        return new RequestId(lease, seq, seq == 0 ? Optional.of(key) : Optional.empty());
    }

    /** The request that a command makes; none if it is not one that may have to wait. */
    public static Optional<RequestId> of(Command command) {
        return switch (command.kind()) {
            case ACQUIRE -> {
                Command.Acquire acquire = (Command.Acquire) command;
                yield Optional.of(of(
                        acquire.lease(), acquire.seq(), acquire.items().get(0).key()));
            }
            case UPGRADE -> {
                Command.Upgrade upgrade = (Command.Upgrade) command;
                yield Optional.of(of(upgrade.lease(), upgrade.seq(), upgrade.key()));
            }
            case GRANT_LEASE,
                    EXTEND_LEASE,
                    REVOKE_LEASE,
                    DOWNGRADE,
                    DESCRIBE,
                    RELEASE,
                    CANCEL,
                    FORCE_RELEASE,
                    SET_LIMIT,
                    RAISE_FEATURE_LEVEL -> Optional.empty();
        };
    }

    /** The request that the event is about: for a change of mode the upgrade, not the grant. */
    public static RequestId of(Event.OfLocks event) {
        long seq = event instanceof Event.ModeChanged changed && changed.seq() != 0
                ? changed.seq()
                : event.party().seq();
        return of(event.party().lease(), seq, event.holds().get(0).key());
    }
}
