package dev.holdfast.server.access;

import dev.holdfast.protocol.ErrorCode;
import dev.holdfast.server.request.Rejection;
import java.util.concurrent.ConcurrentHashMap;

/** How many of something each has open here, up to a number. */
final class Tally {
    private final String what;
    private final int most;
    private final ConcurrentHashMap<String, Integer> open = new ConcurrentHashMap<>();

    /**
     * A tally with nothing in it.
     *
     * @param what is counted, of whom: the name of the limit
     */
    Tally(String what, int most) {
        this.what = what;
        this.most = most;
    }

    /** Counts one more; {@link #end} follows, unless this fails. */
    void begin(String whose) {
        if (most == Integer.MAX_VALUE) {
            return;
        }
        open.compute(whose, (name, count) -> {
            int before = count == null ? 0 : count;
            if (before >= most) {
                throw Rejection.of(
                                ErrorCode.QUOTA_EXCEEDED,
                                what,
                                most,
                                before + 1L,
                                what + ": " + whose + " has " + before + " open, which is the limit")
                        .toException();
            }
            return before + 1;
        });
    }

    void end(String whose) {
        if (most != Integer.MAX_VALUE) {
            open.computeIfPresent(whose, (name, count) -> count == 1 ? null : count - 1);
        }
    }
}
