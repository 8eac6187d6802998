package dev.holdfast.server.operation;

import dev.holdfast.core.Item;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Command;
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
        switch (command.kind()) {
            case ACQUIRE -> acquire((Command.Acquire) command, asked);
            case UPGRADE -> {
                Command.Upgrade upgrade = (Command.Upgrade) command;
                lockable(upgrade.key(), asked);
                wait(upgrade.waitMillis(), asked);
            }
            case DESCRIBE -> {
                Command.Describe describe = (Command.Describe) command;
                lockable(describe.key(), asked);
                metadata(describe.metadata(), asked);
            }
            case RELEASE -> bounds.key(asked.keyField(), ((Command.Release) command).key());
            case DOWNGRADE -> bounds.key(asked.keyField(), ((Command.Downgrade) command).key());
            case GRANT_LEASE -> {
                asked.caller().requireSomewhere(Verb.LOCK);
                String clientId = ((Command.GrantLease) command).clientId();
                bounds.text(asked.field("clientId"), clientId, Limit.CLIENT_ID_BYTES);
            }
            case FORCE_RELEASE -> {
                Command.ForceRelease force = (Command.ForceRelease) command;
                bounds.key(asked.keyField(), force.key());
                asked.caller().require(Verb.ADMIN, force.key());
            }
            case EXTEND_LEASE, REVOKE_LEASE, CANCEL, SET_LIMIT, RAISE_FEATURE_LEVEL -> {}
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
