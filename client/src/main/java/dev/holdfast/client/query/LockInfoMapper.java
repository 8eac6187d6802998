package dev.holdfast.client.query;

import com.google.protobuf.ByteString;
import dev.holdfast.client.api.Explanation;
import dev.holdfast.client.api.HolderInfo;
import dev.holdfast.client.api.LockInfo;
import dev.holdfast.client.api.Metadata;
import dev.holdfast.client.api.Slots;
import dev.holdfast.client.api.WaiterInfo;
import dev.holdfast.protocol.v1.Hold;
import dev.holdfast.protocol.v1.Holder;
import dev.holdfast.protocol.v1.Kind;
import dev.holdfast.protocol.v1.LockRecord;
import dev.holdfast.protocol.v1.Mode;
import dev.holdfast.protocol.v1.Waiter;
import java.time.Duration;
import java.time.Instant;

/** Reads what the cluster says about locks. */
final class LockInfoMapper {
    private LockInfoMapper() {}

    static LockInfo lock(LockRecord lock) {
        return new LockInfo(
                lock.getKey(),
                lock.getCapacity(),
                lock.getModRevision(),
                lock.getHoldersList().stream().map(LockInfoMapper::holder).toList(),
                lock.getHolderCount(),
                lock.getPermitsTaken(),
                lock.getWaitersList().stream().map(LockInfoMapper::waiter).toList(),
                lock.getWaiterCount());
    }

    private static HolderInfo holder(Holder holder) {
        Hold hold = holder.getHold();
        return new HolderInfo(
                holder.getHolderId(),
                holder.getFencingToken(),
                hold.getMode() == Mode.SHARED,
                hold.getKind() == Kind.SUBTREE,
                Slots.ofRanges(hold.getSlotsList()),
                Duration.ofMillis(holder.getHeldMs()),
                Instant.ofEpochMilli(holder.getSinceWallMs()),
                Duration.ofMillis(holder.getLeaseLeftMs()),
                holder.getLingering(),
                holder.getPurpose(),
                metadata(holder.getMetadata()));
    }

    private static WaiterInfo waiter(Waiter waiter) {
        return new WaiterInfo(
                waiter.getClientId(),
                waiter.getCreateRevision(),
                waiter.getHoldsList().stream().map(Hold::getKey).distinct().toList(),
                Duration.ofMillis(waiter.getWaitingMs()),
                Instant.ofEpochMilli(waiter.getSinceWallMs()),
                Duration.ofMillis(waiter.getLeaseLeftMs()),
                waiter.getUpgrade(),
                waiter.getPurpose(),
                metadata(waiter.getMetadata()));
    }

    static Explanation explanation(dev.holdfast.protocol.v1.Explanation explanation) {
        return new Explanation(
                explanation.getBlockedOn(),
                explanation.getPosition(),
                explanation.getStepsList().stream().map(LockInfoMapper::step).toList(),
                !explanation.getIncomplete());
    }

    private static Explanation.Step step(dev.holdfast.protocol.v1.Explanation.Step step) {
        return new Explanation.Step(
                step.getWaiter(),
                step.getKey(),
                switch (step.getHow()) {
                    case WAITS_AHEAD -> Explanation.How.WAITS_AHEAD;
                    case LOCK_DELAY -> Explanation.How.LOCK_DELAY;
                    case HOLDS, HOW_UNKNOWN, UNRECOGNIZED -> Explanation.How.HOLDS;
                },
                step.getBlocker(),
                step.getBlockerToken(),
                Duration.ofMillis(step.getAgeMs()),
                Duration.ofMillis(step.getLeaseLeftMs()),
                step.getPurpose(),
                metadata(step.getMetadata()));
    }

    private static Metadata metadata(ByteString bytes) {
        return Metadata.of(bytes.toByteArray());
    }
}
