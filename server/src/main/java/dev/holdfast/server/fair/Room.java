package dev.holdfast.server.fair;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bounded room, of which nobody gets all: a party may have as much as is free, and a connection as much as its
 * party could still have. So the more is taken the less one may have: one alone gets less than a third by one
 * connection and less than a half by many. An eighth is left to those who have only a few things in it, so that
 * whoever comes with little finds room, however many want much.
 *
 * <p>Confined to one thread, or to whoever holds a lock.
 */
public final class Room {
    private static final int RESERVE = 8;

    /** How often the room counts at most. */
    private static final int WHOLE = 2;

    private static final int FEW = 16;
    private static final int FEW_BYTES = 64 * 1024;

    /** What is refused for the number of things, and for their bytes. */
    private static final String QUEUE = "queue";

    private static final String QUEUE_BYTES = "queue.bytes";

    private final String what;
    private final int most;
    private final long mostBytes;
    private final Used all = new Used();
    private final Map<String, Used> parties = new HashMap<>();
    private final Map<Flow, Used> flows = new HashMap<>();

    private static final class Used {
        private int things;
        private long bytes;
    }

    /**
     * An empty room.
     *
     * @param what it is, as who finds no room is told
     */
    public Room(String what, int most, long mostBytes) {
        this.what = what;
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /**
     * Takes room for something; {@link #leave} follows.
     *
     * @param times how often the room counts for this kind of thing, at most twice; those who have little in it find
     *     room up to twice, whatever they bring
     * @return why there is no room, and none was taken
     */
    public @Nullable Excess enter(Flow flow, int bytes, int times) {
        Used party = parties.get(flow.party());
        Used own = flows.get(flow);
        long ofParty = party == null ? 0 : party.things;
        long ofOwn = own == null ? 0 : own.things;
        long room = (long) times * most;
        int alwaysThings = Math.min(FEW, most / (4 * FEW));
        boolean few = ofParty < alwaysThings && all.things < (long) WHOLE * most;
        long free = room - most / RESERVE - all.things;
        if (!few && (ofParty >= free || ofOwn >= free - ofParty)) {
            String message = what + ": " + all.things + " requests wait of at most " + most + ", " + ofParty
                    + " of this caller, " + ofOwn + " of this connection, which may have no more while so many wait";
            if (ofParty < alwaysThings) {
                // It has little: what is full is the room itself.
                return new Excess(QUEUE, (long) WHOLE * most, all.things + 1L, message);
            }
            return ofParty >= free
                    ? new Excess(QUEUE, Math.max(free, alwaysThings), ofParty + 1, message)
                    : new Excess(QUEUE, free - ofParty, ofOwn + 1, message);
        }
        long partyBytes = party == null ? 0 : party.bytes;
        long ownBytes = own == null ? 0 : own.bytes;
        long roomBytes = times * mostBytes;
        long alwaysBytes = Math.min(FEW_BYTES, mostBytes / (4 * FEW));
        boolean little = partyBytes + bytes <= alwaysBytes && all.bytes + bytes <= WHOLE * mostBytes;
        long freeBytes = roomBytes - mostBytes / RESERVE - all.bytes;
        if (!little && (partyBytes + bytes > freeBytes || ownBytes + bytes > freeBytes - partyBytes)) {
            String message = what + ": " + all.bytes + " bytes wait of at most " + mostBytes + ", " + partyBytes
                    + " of this caller, " + ownBytes + " of this connection, which may have no more while so many wait";
            if (partyBytes + bytes <= alwaysBytes) {
                return new Excess(QUEUE_BYTES, WHOLE * mostBytes, all.bytes + bytes, message);
            }
            return partyBytes + bytes > freeBytes
                    ? new Excess(QUEUE_BYTES, Math.max(freeBytes, alwaysBytes), partyBytes + bytes, message)
                    : new Excess(QUEUE_BYTES, freeBytes - partyBytes, ownBytes + bytes, message);
        }
        add(all, 1, bytes);
        add(party == null ? parties.computeIfAbsent(flow.party(), unused -> new Used()) : party, 1, bytes);
        add(own == null ? flows.computeIfAbsent(flow, unused -> new Used()) : own, 1, bytes);
        return null;
    }

    /** Gives room back. */
    public void leave(Flow flow, int bytes) {
        add(all, -1, -bytes);
        leave(parties, flow.party(), bytes);
        leave(flows, flow, bytes);
    }

    private static <K> void leave(Map<K, Used> map, K key, int bytes) {
        Used used = map.get(key);
        if (used == null) {
            throw new IllegalStateException(key + " has nothing here");
        }
        add(used, -1, -bytes);
        if (used.things == 0) {
            map.remove(key);
        }
    }

    private static void add(Used used, int things, long bytes) {
        used.things += things;
        used.bytes += bytes;
    }

    /** How many things are here. */
    public int size() {
        return all.things;
    }
}
