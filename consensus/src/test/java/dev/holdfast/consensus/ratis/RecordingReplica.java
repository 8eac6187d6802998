package dev.holdfast.consensus.ratis;

import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.Role;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A state that is the list of what was applied, and that remembers all it was told. */
final class RecordingReplica implements Replica {
    static final String POISON = "poison";

    private final List<String> entries = new ArrayList<>();
    private final List<String> history = new CopyOnWriteArrayList<>();
    private final List<Role> roles = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicBoolean cutOpen = new AtomicBoolean();
    private volatile int loads;
    private long lastIndex = -1;

    @Override
    public synchronized void apply(long term, long index, byte[] entry) {
        if (index <= lastIndex) {
            throw new IllegalStateException("applied " + index + " after " + lastIndex);
        }
        String text = new String(entry, StandardCharsets.UTF_8);
        if (text.equals(POISON)) {
            throw new IllegalStateException("cannot read this");
        }
        lastIndex = index;
        entries.add(text);
        history.add("applied " + term + ' ' + text);
    }

    @Override
    public synchronized Cut cut() {
        if (!cutOpen.compareAndSet(false, true)) {
            throw new IllegalStateException("a cut is open already");
        }
        Iterator<String> left = List.copyOf(entries).iterator();
        return new Cut() {
            @Override
            public byte @Nullable [] next() {
                return left.hasNext() ? (left.next() + '\n').getBytes(StandardCharsets.UTF_8) : null;
            }

            @Override
            public void close() {
                cutOpen.set(false);
            }
        };
    }

    @Override
    public synchronized void load(long term, long index, InputStream snapshot) throws IOException {
        if (cutOpen.get()) {
            throw new IllegalStateException("loaded while a cut is open");
        }
        String text = new String(snapshot.readAllBytes(), StandardCharsets.UTF_8);
        entries.clear();
        entries.addAll(text.lines().toList());
        lastIndex = index;
        loads++;
    }

    @Override
    public void roleChanged(Role role) {
        roles.add(role);
        history.add("role " + role);
    }

    @Override
    public void failed(String message, @Nullable Throwable cause) {
        failures.add(message);
    }

    synchronized List<String> entries() {
        return List.copyOf(entries);
    }

    List<String> history() {
        return List.copyOf(history);
    }

    List<Role> roles() {
        return List.copyOf(roles);
    }

    boolean leads() {
        return !roles.isEmpty() && roles.get(roles.size() - 1) instanceof Role.Leading;
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    int loads() {
        return loads;
    }
}
