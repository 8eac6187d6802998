package dev.holdfast.consensus.disk;

import dev.holdfast.consensus.Replica;
import dev.holdfast.consensus.Role;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A replica that remembers every entry as text, and checks that it is driven as promised. */
class Ledger implements Replica {
    private final List<String> entries = new ArrayList<>();
    private final List<Role> roles = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private long lastTerm;
    private long lastIndex;
    private boolean cutOpen;

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    synchronized List<String> entries() {
        return List.copyOf(entries);
    }

    List<Role> roles() {
        return roles;
    }

    List<String> failures() {
        return failures;
    }

    @Override
    public synchronized void apply(long term, long index, byte[] entry) {
        if (index <= lastIndex || term < lastTerm) {
            throw new IllegalStateException("applied " + term + "/" + index + " after " + lastTerm + "/" + lastIndex);
        }
        lastTerm = term;
        lastIndex = index;
        entries.add(new String(entry, StandardCharsets.UTF_8));
    }

    @Override
    public synchronized Cut cut() {
        if (cutOpen) {
            throw new IllegalStateException("a second cut before the first was closed");
        }
        cutOpen = true;
        Iterator<String> state = List.copyOf(entries).iterator();
        return new Cut() {
            private boolean began;

            @Override
            public byte @Nullable [] next() {
                if (!began) {
                    began = true;
                    return new byte[0];
                }
                return state.hasNext() ? frame(state.next()) : null;
            }

            @Override
            public void close() {
                synchronized (Ledger.this) {
                    cutOpen = false;
                }
            }
        };
    }

    private static byte[] frame(String entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            new DataOutputStream(bytes).writeUTF(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public synchronized void load(long term, long index, InputStream snapshot) throws IOException {
        entries.clear();
        DataInputStream in = new DataInputStream(snapshot);
        while (in.available() > 0) {
            entries.add(in.readUTF());
        }
        lastTerm = term;
        lastIndex = index;
    }

    @Override
    public void roleChanged(Role role) {
        roles.add(role);
    }

    @Override
    public void failed(String message, @Nullable Throwable cause) {
        failures.add(message);
    }
}
