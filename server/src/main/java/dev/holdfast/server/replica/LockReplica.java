package dev.holdfast.server.replica;

import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.Role;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.machine.LockMachine;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.core.result.Applied;
import dev.holdfast.core.snapshot.SnapshotReader;
import dev.holdfast.core.snapshot.SnapshotWriter;
import dev.holdfast.core.snapshot.StateHash;
import dev.holdfast.server.request.Stamp;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * This node's lock machine: applies entries, tells the listeners, answers questions, writes snapshots.
 *
 * <p>The machine wants one caller at a time. The lock here is held for one entry, one question or one frame of
 * a snapshot, never for longer.
 */
public final class LockReplica implements Replica {
    private static final int READ_BYTES = 64 * 1024;

    private final ReentrantLock turn = new ReentrantLock();
    private final List<ReplicaListener> listeners = new CopyOnWriteArrayList<>();
    private final Consumer<Role> roles;
    private final BiConsumer<String, @Nullable Throwable> failure;
    private final KeyedHash hash;
    private LockMachine machine;
    private volatile long appliedTerm;
    private volatile long appliedIndex = -1;
    private volatile long nextDeadlineMillis = Long.MAX_VALUE;
    private volatile long now;
    private volatile long epoch;
    private volatile Stamp stamp;

    /** A replica for tests. */
    public LockReplica(Consumer<Role> roles, BiConsumer<String, @Nullable Throwable> failure) {
        this(roles, failure, KeyedHash.OPEN);
    }

    /**
     * A replica with an empty machine.
     *
     * @param roles told of every change of role
     * @param failure told when the log cannot go on: the process must end
     * @param hash spreads what clients choose, by a secret of this process
     */
    public LockReplica(Consumer<Role> roles, BiConsumer<String, @Nullable Throwable> failure, KeyedHash hash) {
        this.roles = roles;
        this.failure = failure;
        this.hash = hash;
        this.machine = new LockMachine(hash);
        this.epoch = machine.view().epoch();
        this.stamp = new Stamp(0, -1, machine.view().now(), machine.view().revision());
    }

    /** Adds a listener; those added first are told first. Before the log starts. */
    public void listen(ReplicaListener listener) {
        listeners.add(listener);
    }

    @Override
    public void apply(long term, long index, byte[] bytes) {
        Entry entry = Entry.decode(bytes);
        turn.lock();
        try {
            Applied applied = machine.apply(term, entry.batch());
            moveTo(term, index);
            ReplicaListener.AppliedEntry told = new ReplicaListener.AppliedEntry(
                    term, index, entry.proposer(), entry.number(), entry.batch(), applied);
            for (ReplicaListener listener : listeners) {
                listener.applied(told);
            }
        } finally {
            turn.unlock();
        }
    }

    @Override
    public Cut cut() {
        turn.lock();
        try {
            return new MachineCut(machine.startSnapshot());
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void load(long term, long index, InputStream snapshot) throws IOException {
        LockMachine loaded = read(snapshot, hash);
        turn.lock();
        try {
            machine = loaded;
            moveTo(term, index);
            for (ReplicaListener listener : listeners) {
                listener.replaced(machine.view(), index);
            }
        } finally {
            turn.unlock();
        }
    }

    /** The machine whose snapshot this is, for a tool that only looks at it. */
    public static LockMachine read(InputStream snapshot) throws IOException {
        return read(snapshot, KeyedHash.OPEN);
    }

    private static LockMachine read(InputStream snapshot, KeyedHash hash) throws IOException {
        SnapshotReader reader = new SnapshotReader(hash);
        byte[] buffer = new byte[READ_BYTES];
        for (int length = snapshot.read(buffer); length >= 0; length = snapshot.read(buffer)) {
            reader.feed(buffer, length);
        }
        return LockMachine.load(reader);
    }

    @Override
    public void roleChanged(Role role) {
        roles.accept(role);
    }

    @Override
    public void failed(String message, @Nullable Throwable cause) {
        failure.accept(message, cause);
    }

    /** Asks the machine something, between two entries: the question must be short. */
    public <T> T ask(Function<MachineView, T> question) {
        turn.lock();
        try {
            return question.apply(machine.view());
        } finally {
            turn.unlock();
        }
    }

    /** The hash of the state as it is now. The whole of it is walked while the machine stands still. */
    public long stateHash() {
        turn.lock();
        try {
            return StateHash.of(machine.image());
        } finally {
            turn.unlock();
        }
    }

    /** Where this node is, in the log and in cluster time. Waits for nobody. */
    public Stamp stamp() {
        return stamp;
    }

    public long appliedTerm() {
        return appliedTerm;
    }

    /** Index of the last entry applied; -1 before the first. */
    public long appliedIndex() {
        return appliedIndex;
    }

    /** Cluster time before which nothing is due. */
    public long nextDeadlineMillis() {
        return nextDeadlineMillis;
    }

    /** The machine's cluster time. */
    public long now() {
        return now;
    }

    /** The machine's epoch. */
    public long epoch() {
        return epoch;
    }

    private void moveTo(long term, long index) {
        nextDeadlineMillis = machine.nextDeadlineMillis();
        now = machine.view().now();
        epoch = machine.view().epoch();
        appliedTerm = term;
        appliedIndex = index;
        stamp = new Stamp(term, index, now, machine.view().revision());
    }

    /** A snapshot whose frames are written between entries. */
    private final class MachineCut implements Cut {
        private final SnapshotWriter writer;
        private boolean done;

        MachineCut(SnapshotWriter writer) {
            this.writer = writer;
        }

        @Override
        public byte @Nullable [] next() {
            turn.lock();
            try {
                byte[] frame = writer.next();
                done = frame == null;
                return frame;
            } finally {
                turn.unlock();
            }
        }

        @Override
        public void close() {
            if (!done) {
                turn.lock();
                try {
                    writer.abandon();
                } finally {
                    turn.unlock();
                }
                done = true;
            }
        }
    }
}
