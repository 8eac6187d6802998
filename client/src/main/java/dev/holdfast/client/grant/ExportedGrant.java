package dev.holdfast.client.grant;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A grant as a text that can be carried to another process. It contains the lease's id, which is a secret.
 *
 * @param holdEndMillis the cluster time at which it ends, renewed or not; 0 for none
 */
public record ExportedGrant(
        long leaseId,
        long ttlMillis,
        long lastSeq,
        long token,
        long holdEndMillis,
        boolean shared,
        List<String> keys,
        List<Integer> slots) {
    private static final String PREFIX = "hf1.";
    private static final int MAX_TEXT = 100_000;
    private static final int MAX_ITEMS = 10_000;

    public ExportedGrant {
        keys = List.copyOf(keys);
        slots = List.copyOf(slots);
    }

    public String write() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(leaseId);
            out.writeLong(ttlMillis);
            out.writeLong(lastSeq);
            out.writeLong(token);
            out.writeLong(holdEndMillis);
            out.writeBoolean(shared);
            out.writeInt(keys.size());
            for (String key : keys) {
                out.writeUTF(key);
            }
            out.writeInt(slots.size());
            for (int slot : slots) {
                out.writeInt(slot);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /** Reads it back; refuses whatever was not written by {@link #write}. */
    public static ExportedGrant read(String text) {
        String trimmed = text.strip();
        if (!trimmed.startsWith(PREFIX) || trimmed.length() > MAX_TEXT) {
            throw notOne(null);
        }
        try (DataInputStream in = new DataInputStream(
                new ByteArrayInputStream(Base64.getUrlDecoder().decode(trimmed.substring(PREFIX.length()))))) {
            long leaseId = in.readLong();
            long ttlMillis = in.readLong();
            long lastSeq = in.readLong();
            long token = in.readLong();
            long holdEndMillis = in.readLong();
            boolean shared = in.readBoolean();
            List<String> keys = new ArrayList<>();
            for (int i = count(in); i > 0; i--) {
                keys.add(in.readUTF());
            }
            List<Integer> slots = new ArrayList<>();
            for (int i = count(in); i > 0; i--) {
                slots.add(in.readInt());
            }
            if (in.read() >= 0 || keys.isEmpty() || token <= 0 || ttlMillis <= 0 || lastSeq < 0 || holdEndMillis < 0) {
                throw notOne(null);
            }
            return new ExportedGrant(leaseId, ttlMillis, lastSeq, token, holdEndMillis, shared, keys, slots);
        } catch (IOException | IllegalArgumentException e) {
            throw notOne(e);
        }
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MAX_ITEMS) {
            throw new IOException("count " + count);
        }
        return count;
    }

    private static IllegalArgumentException notOne(@Nullable Exception cause) {
        return new IllegalArgumentException(
                "not an exported grant; give the whole text as export() returned it", cause);
    }
}
