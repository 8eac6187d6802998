package dev.holdfast.core.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Claims in the order of their requests' ranks.
 *
 * <p>An array with room at both ends: the oldest leaves and the youngest joins without moving anything,
 * and one in the middle moves the shorter side. So a hand-over costs the same with ten or ten thousand
 * in the queue.
 */
public final class ClaimQueue {
    private @Nullable Claim[] claims = new @Nullable Claim[2];
    private int head;
    private int size;

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public Claim get(int position) {
        Claim claim = position < size ? claims[head + position] : null;
        if (claim == null) {
            throw new IndexOutOfBoundsException(position);
        }
        return claim;
    }

    public Claim first() {
        return get(0);
    }

    /** How many have a lower rank: also the position of the first that has not. */
    public int countBelow(long rank) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle).request().rank() < rank) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The claim of the request with this rank, or null. */
    public @Nullable Claim find(long rank) {
        Claim claim = from(rank);
        return claim != null && claim.request().rank() == rank ? claim : null;
    }

    /** The first claim whose request has this rank or a higher one, or null. */
    public @Nullable Claim from(long rank) {
        int position = countBelow(rank);
        return position < size ? get(position) : null;
    }

    void add(Claim claim) {
        long rank = claim.request().rank();
        makeRoom();
        if (size == 0 || get(size - 1).request().rank() <= rank) {
            claims[head + size] = claim;
        } else {
            int position = countBelow(rank + 1);
            System.arraycopy(claims, head + position, claims, head + position + 1, size - position);
            claims[head + position] = claim;
        }
        size++;
    }

    void remove(Claim claim) {
        int position = countBelow(claim.request().rank());
        while (get(position) != claim) {
            position++;
        }
        if (position < size / 2) {
            System.arraycopy(claims, head, claims, head + 1, position);
            claims[head++] = null;
        } else {
            System.arraycopy(claims, head + position + 1, claims, head + position, size - position - 1);
            claims[head + size - 1] = null;
        }
        size--;
        if (size == 0) {
            head = 0;
        }
    }

    /** Makes sure that one more fits behind the last. */
    private void makeRoom() {
        if (head + size < claims.length) {
            return;
        }
        if (head > claims.length / 2) {
            System.arraycopy(claims, head, claims, 0, size);
            Arrays.fill(claims, size, claims.length, null);
        } else {
            @Nullable Claim[] larger = new @Nullable Claim[claims.length * 2];
            System.arraycopy(claims, head, larger, 0, size);
            claims = larger;
        }
        head = 0;
    }
}
