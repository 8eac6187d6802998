package dev.holdfast.server.grpc;

import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.result.Result;
import dev.holdfast.protocol.v1.CancelRequest;
import dev.holdfast.protocol.v1.CancelResponse;
import dev.holdfast.protocol.v1.DescribeRequest;
import dev.holdfast.protocol.v1.DescribeResponse;
import dev.holdfast.protocol.v1.DowngradeRequest;
import dev.holdfast.protocol.v1.LeaseExtendRequest;
import dev.holdfast.protocol.v1.LeaseGrantRequest;
import dev.holdfast.protocol.v1.LeaseGrantResponse;
import dev.holdfast.protocol.v1.LeaseRevokeRequest;
import dev.holdfast.protocol.v1.LeaseRevokeResponse;
import dev.holdfast.protocol.v1.LockRequest;
import dev.holdfast.protocol.v1.LockResponse;
import dev.holdfast.protocol.v1.ServerMessage;
import dev.holdfast.protocol.v1.TryLockRequest;
import dev.holdfast.protocol.v1.TryLockResponse;
import dev.holdfast.protocol.v1.UnlockRequest;
import dev.holdfast.protocol.v1.UnlockResponse;
import dev.holdfast.protocol.v1.UpgradeRequest;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.operation.Asked;
import dev.holdfast.server.operation.Operation;
import java.util.Map;
import java.util.function.BiFunction;

/** The commands that gRPC carries: each is described here once, for calls and for sessions. */
final class CommandCalls {
    /** The machine's names of fields, and what they are called in a message. */
    private static final Map<String, String> FIELDS = Map.of(
            "ttlMillis", "ttl_ms",
            "waitMillis", "timeout_ms",
            "maxHoldMillis", "max_hold_ms",
            "lockDelayMillis", "lock_delay_ms",
            "additionalMillis", "additional_ms",
            "leaseCoversWait", "lease_covers_wait",
            "clientId", "client_id",
            "token", "fencing_token");

    final CommandCall<LockRequest, LockResponse.Builder, LockResponse> lock;
    final CommandCall<TryLockRequest, TryLockResponse.Builder, TryLockResponse> tryLock;
    final CommandCall<UpgradeRequest, LockResponse.Builder, LockResponse> upgrade;
    final CommandCall<DowngradeRequest, LockResponse.Builder, LockResponse> downgrade;
    final CommandCall<DescribeRequest, DescribeResponse.Builder, DescribeResponse> describe;
    final CommandCall<UnlockRequest, UnlockResponse.Builder, UnlockResponse> unlock;
    final CommandCall<CancelRequest, CancelResponse.Builder, CancelResponse> cancel;
    final CommandCall<LeaseGrantRequest, LeaseGrantResponse.Builder, LeaseGrantResponse> leaseGrant;
    final CommandCall<LeaseExtendRequest, LeaseGrantResponse.Builder, LeaseGrantResponse> leaseExtend;
    final CommandCall<LeaseRevokeRequest, LeaseRevokeResponse.Builder, LeaseRevokeResponse> leaseRevoke;

    CommandCalls(RequestReader reader) {
        lock = lockCall(
                Operation.LOCK,
                (request, caller, clientId) -> reader.acquire(request, caller),
                (request, caller) -> asked(request.getLeaseId(), request.getItemsCount() > 0, caller));
        tryLock = new CommandCall<>(
                Operation.TRY_LOCK,
                (request, caller, clientId) -> reader.acquire(request, caller),
                (request, caller) -> asked(request.getLeaseId(), request.getItemsCount() > 0, caller),
                (result, command, asked) ->
                        Answers.tryLock(writeLock(result, command, asked).build()),
                (answer, header) -> answer.setHeader(header).build(),
                (message, answer) -> {
                    throw new IllegalStateException("a session has no message for it");
                });
        upgrade = lockCall(
                Operation.UPGRADE,
                (request, caller, clientId) -> reader.upgrade(request, caller),
                (request, caller) -> asked(request.getLeaseId(), false, caller));
        downgrade = lockCall(
                Operation.DOWNGRADE,
                (request, caller, clientId) -> reader.downgrade(request, caller),
                (request, caller) -> asked(request.getLeaseId(), false, caller));
        describe = new CommandCall<>(
                Operation.DESCRIBE,
                (request, caller, clientId) -> reader.describe(request, caller),
                (request, caller) -> asked(request.getLeaseId(), false, caller),
                (result, command, asked) -> Answers.described(result, asked),
                (answer, header) -> answer.setHeader(header).build(),
                ServerMessage.Builder::setDescribed);
        unlock = new CommandCall<>(
                Operation.UNLOCK,
                (request, caller, clientId) -> reader.release(request, caller),
                (request, caller) -> asked(request.getLeaseId(), false, caller),
                (result, command, asked) -> Answers.unlock(result, firstKey(command), asked),
                (answer, header) -> answer.setHeader(header).build(),
                ServerMessage.Builder::setUnlock);
        cancel = new CommandCall<>(
                Operation.CANCEL,
                (request, caller, clientId) -> reader.cancel(request, caller),
                (request, caller) -> asked(request.getLeaseId(), false, caller),
                (result, command, asked) -> Answers.cancel(result, asked),
                (answer, header) -> answer.setHeader(header).build(),
                ServerMessage.Builder::setCancelled);
        leaseGrant = leaseCall(
                Operation.LEASE_GRANT, reader::grantLease, (request, caller) -> askedOfLease(request.getId(), caller));
        leaseExtend = leaseCall(
                Operation.LEASE_EXTEND,
                (request, caller, clientId) -> reader.extendLease(request, caller),
                (request, caller) -> askedOfLease(request.getId(), caller));
        leaseRevoke = new CommandCall<>(
                Operation.LEASE_REVOKE,
                (request, caller, clientId) -> reader.revokeLease(request, caller),
                (request, caller) -> askedOfLease(request.getId(), caller),
                (result, command, asked) -> Answers.leaseRevoked(result, asked),
                (answer, header) -> answer.setHeader(header).build(),
                ServerMessage.Builder::setLeaseRevoked);
    }

    private static <Q> CommandCall<Q, LockResponse.Builder, LockResponse> lockCall(
            Operation operation, CommandCall.Reader<Q> read, BiFunction<Q, Caller, Asked> names) {
        return new CommandCall<>(
                operation,
                read,
                names,
                CommandCalls::writeLock,
                (answer, header) -> answer.setHeader(header).build(),
                ServerMessage.Builder::setLock);
    }

    private static <Q> CommandCall<Q, LeaseGrantResponse.Builder, LeaseGrantResponse> leaseCall(
            Operation operation, CommandCall.Reader<Q> read, BiFunction<Q, Caller, Asked> names) {
        return new CommandCall<>(
                operation,
                read,
                names,
                (result, command, asked) -> Answers.leaseGranted(result, command.lease(), asked),
                (answer, header) -> answer.setHeader(header).build(),
                ServerMessage.Builder::setLeaseGranted);
    }

    private static LockResponse.Builder writeLock(Result result, Command.OfLease command, Asked asked) {
        return Answers.lock(result, firstKey(command).toString(), asked);
    }

    private static LockKey firstKey(Command.OfLease command) {
        return switch (command.kind()) {
            case ACQUIRE -> ((Command.Acquire) command).items().get(0).key();
            case UPGRADE -> ((Command.Upgrade) command).key();
            case DOWNGRADE -> ((Command.Downgrade) command).key();
            case RELEASE -> ((Command.Release) command).key();
            case GRANT_LEASE,
                    EXTEND_LEASE,
                    REVOKE_LEASE,
                    DESCRIBE,
                    CANCEL,
                    FORCE_RELEASE,
                    SET_LIMIT,
                    RAISE_FEATURE_LEVEL -> throw new IllegalStateException("no key goes with the answer to " + command);
        };
    }

    /** What a request about locks calls things. */
    static Asked asked(long lease, boolean set, Caller caller) {
        return new Asked("lease_id", lease, set ? "items.key" : "name", FIELDS, caller);
    }

    private static Asked askedOfLease(long lease, Caller caller) {
        return new Asked("id", lease, "name", FIELDS, caller);
    }
}
