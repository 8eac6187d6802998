package dev.holdfast.bench;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.result.Result;
import java.util.ArrayList;
import java.util.List;

/** A machine with clients that behave: their request ids grow, and they acknowledge what was answered. */
final class MachineLoad {
    private static final long TERM = 1;
    private static final int COMMANDS_PER_ENTRY = 1_000;

    final LockMachine machine;
    private final long[] nextSeq;
    private long now;

    MachineLoad(LockMachine machine, int leases) {
        this.machine = machine;
        this.nextSeq = new long[leases];
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < leases; i++) {
            nextSeq[i] = 1;
            commands.add(new Command.GrantLease(leaseId(i), "app", "client-" + i, 30_000, 0));
            if (commands.size() == COMMANDS_PER_ENTRY || i == leases - 1) {
                apply(commands);
                commands.clear();
            }
        }
    }

    /** Ids that are spread as random ones are. */
    static LeaseId leaseId(int number) {
        long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
        return new LeaseId(mixed ^ mixed >>> 29);
    }

    static LockKey key(int number) {
        return LockKey.of("lock-" + (1_000_000_000L + number));
    }

    int leases() {
        return nextSeq.length;
    }

    Command.Acquire acquire(int lease, LockKey key) {
        long seq = nextSeq[lease]++;
        return Command.Acquire.of(leaseId(lease), "app", seq, seq, List.of(Item.exclusive(key)));
    }

    Command.Release release(int lease, LockKey key, long token) {
        return new Command.Release(leaseId(lease), "app", key, token, nextSeq[lease]);
    }

    Applied apply(List<Command> commands) {
        return machine.apply(TERM, Batch.of(TERM, now, now, commands));
    }

    Applied renew(long[] ids) {
        now += 10_000;
        return machine.apply(TERM, new Batch(TERM, now, now, ids, List.of()));
    }

    /** Takes the keys from {@code from} to {@code to}, spread over the leases, and keeps them. */
    void hold(int from, int to) {
        List<Command> commands = new ArrayList<>(COMMANDS_PER_ENTRY);
        for (int i = from; i < to; i++) {
            commands.add(acquire(i % leases(), key(i)));
            if (commands.size() == COMMANDS_PER_ENTRY || i == to - 1) {
                for (Result result : apply(commands).results()) {
                    tokenOf(result);
                }
                commands.clear();
            }
        }
    }

    static long tokenOf(Result result) {
        if (result instanceof Result.Granted granted) {
            return granted.token().value();
        }
        throw new IllegalStateException("not granted: " + result);
    }
}
