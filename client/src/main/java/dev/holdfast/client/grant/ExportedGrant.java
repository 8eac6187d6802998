package dev.holdfast.client.grant;

import dev.holdfast.client.api.Slots;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A grant as a text that can be carried to another process. It contains the lease's id, which is a secret.
 *
 * @param keys what it holds, in byte order, with the permits of each semaphore
 * @param holdEndMillis the cluster time at which it ends, renewed or not; 0 for none
 */
public record ExportedGrant(
        long leaseId,
        long ttlMillis,
        long lastSeq,
        long token,
        long holdEndMillis,
        boolean shared,
        Map<String, Slots> keys) {
    private static final String PREFIX = "hf2.";

    /** More than the longest grant needs, whatever the cluster's limits are. */
    private static final int MAX_TEXT = 4_000_000;

    private static final int MAX_ITEMS = 100_000;

    public ExportedGrant {
        keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
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
            for (Map.Entry<String, Slots> key : keys.entrySet()) {
                out.writeUTF(key.getKey());
                Slots slots = key.getValue();
                out.writeInt(slots.ranges());
                for (int range = 0; range < slots.ranges(); range++) {
                    out.writeInt(slots.first(range));
                    out.writeInt(slots.last(range));
                }
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
            Map<String, Slots> keys = new LinkedHashMap<>();
            for (int i = count(in); i > 0; i--) {
                keys.put(in.readUTF(), slots(in));
            }
            if (in.read() >= 0 || keys.isEmpty() || token <= 0 || ttlMillis <= 0 || lastSeq < 0 || holdEndMillis < 0) {
                throw notOne(null);
            }
            return new ExportedGrant(leaseId, ttlMillis, lastSeq, token, holdEndMillis, shared, keys);
        } catch (IOException | IllegalArgumentException e) {
            throw notOne(e);
        }
    }

    private static Slots slots(DataInputStream in) throws IOException {
        List<Integer> bounds = new ArrayList<>();
        for (int i = count(in); i > 0; i--) {
            bounds.add(in.readInt());
            bounds.add(in.readInt());
        }
        return Slots.ofRanges(bounds);
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
