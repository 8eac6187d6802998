package dev.holdfast.server.operation;

import dev.holdfast.core.Item;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.request.Rejected;

/**
 * What each command needs before it goes into the log: which keys its caller must be allowed to use, and fields that an
 * entry can carry. Everything else is for the machine to judge, by its replicated limits.
 */
public final class CommandCheck {
    private final Bounds bounds;

    public CommandCheck(Bounds bounds) {
        this.bounds = bounds;
    }

    /**
     * Goes on only if the caller may do this, and if it can be written at all.
     *
     * @throws Rejected otherwise
     */
    public void require(Command command, Asked asked) {
        Caller caller = asked.caller();
        if (command instanceof Command.Acquire acquire) {
            acquire(acquire, asked);
        } else if (command instanceof Command.Upgrade upgrade) {
            lockable(upgrade.key(), asked);
            wait(upgrade.waitMillis(), asked);
        } else if (command instanceof Command.Describe describe) {
            lockable(describe.key(), asked);
            metadata(describe.metadata(), asked);
        } else if (command instanceof Command.Release release) {
            bounds.key(asked.keyField(), release.key());
        } else if (command instanceof Command.Downgrade downgrade) {
            bounds.key(asked.keyField(), downgrade.key());
        } else if (command instanceof Command.GrantLease grant) {
            caller.requireSomewhere(Verb.LOCK);
            bounds.text(asked.field("clientId"), grant.clientId(), Limit.CLIENT_ID_BYTES);
        } else if (command instanceof Command.ForceRelease force) {
            bounds.key(asked.keyField(), force.key());
            caller.require(Verb.ADMIN, force.key());
        }
    }

    private void acquire(Command.Acquire acquire, Asked asked) {
        bounds.size(asked.field("items"), acquire.items().size(), Limit.KEYS_PER_REQUEST);
        for (Item item : acquire.items()) {
            lockable(item.key(), asked);
        }
        wait(acquire.waitMillis(), asked);
        bounds.text(asked.field("purpose"), acquire.purpose(), Limit.PURPOSE_BYTES);
        metadata(acquire.metadata(), asked);
    }

    /** A key that the caller may lock; then it may also lock what is below. */
    private void lockable(LockKey key, Asked asked) {
        bounds.key(asked.keyField(), key);
        asked.caller().require(Verb.LOCK, key);
    }

    private void metadata(Metadata metadata, Asked asked) {
        bounds.size(asked.field("metadata"), metadata.bytes().length, Limit.METADATA_BYTES);
    }

    private static void wait(long millis, Asked asked) {
        if (millis < Command.WAIT_FOREVER) {
            throw Rejected.invalid(
                    asked.field("waitMillis"),
                    Command.WAIT_FOREVER,
                    millis,
                    millis + " is out of bounds; 0 is not to wait, -1 is to wait as long as the lease lives");
        }
    }
}
