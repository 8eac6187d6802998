package dev.holdfast.core.model;

import dev.holdfast.core.codec.CommandCodec;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.result.Applied;

/** The machine under test. */
final class RealMachine implements Machine {
    private final boolean restarts;
    private LockMachine machine = new LockMachine();
    private long secret;

    /** @param restarts whether batches come as bytes and each is followed by a restart from a snapshot */
    RealMachine(boolean restarts) {
        this.restarts = restarts;
    }

    @Override
    public Applied apply(long entryTerm, Batch batch) {
        if (!restarts) {
            return machine.apply(entryTerm, batch);
        }
        Applied applied = machine.apply(entryTerm, CommandCodec.decode(CommandCodec.encode(batch)));
        restart();
        return applied;
    }

    @Override
    public StateImage image() {
        return machine.image();
    }

    @Override
    public long stateHash() {
        return machine.stateHash();
    }

    @Override
    public Applied beginEpoch(long highestTokenSeen, long quarantineMillis) {
        Applied applied = machine.beginEpoch(highestTokenSeen, quarantineMillis);
        if (restarts) {
            restart();
        }
        return applied;
    }

    /** Whether something is to be done at once: an entry is due. */
    boolean isDue() {
        return machine.nextDeadlineMillis() <= machine.image().header().now();
    }

    private void restart() {
        long hash = machine.stateHash();
        // Another process has another secret: what lies where must never show.
        machine = Snapshots.read(Snapshots.write(machine, 100), new KeyedHash(++secret));
        if (machine.stateHash() != hash) {
            throw new IllegalStateException("the state read back has another hash");
        }
    }
}
