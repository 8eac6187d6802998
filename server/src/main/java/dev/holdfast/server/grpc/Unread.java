package dev.holdfast.server.grpc;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a node keeps for clients that do not read it, all streams together, and those of each caller. When it is too
 * much, the stream that has most is given up: its client connects again, attaches and asks for what it missed.
 *
 * <p>Any thread. A stream tells of its bytes only when they have changed by some: those whose clients read never do.
 */
final class Unread {
    /** Changes below this are not told of. */
    private static final long STEP = 4 * 1024;

    private static final int CALLER_SHARE = 4;

    private final long most;
    private final Map<String, Long> ofCallers = new HashMap<>();
    private final Set<Account> behind = new HashSet<>();
    private long all;

    /** @param most bytes of all streams; a caller's may have a quarter of them */
    Unread(long most) {
        this.most = most;
    }

    /** What one stream keeps. Told of by one thread. */
    final class Account {
        private final String caller;
        private final Consumer<String> giveUp;
        private long told;

        private Account(String caller, Consumer<String> giveUp) {
            this.caller = caller;
            this.giveUp = giveUp;
        }

        /** So many bytes are kept now. */
        void keeps(long bytes) {
            if (Math.abs(bytes - told) >= STEP || (bytes == 0 && told > 0)) {
                change(this, bytes);
            }
        }

        /** The stream has ended. */
        void close() {
            keeps(0);
        }
    }

    /**
     * An account with nothing in it.
     *
     * @param giveUp ends the stream, with what its client is told; called by any thread
     */
    Account open(String caller, Consumer<String> giveUp) {
        return new Account(caller, giveUp);
    }

    private void change(Account account, long bytes) {
        Account largest;
        String why;
        synchronized (this) {
            set(account, bytes);
            long ofCaller = ofCallers.getOrDefault(account.caller, 0L);
            if (all > most) {
                largest = largest(null);
                why = all + " bytes that clients of this node did not read, of at most " + most;
            } else if (ofCaller > most / CALLER_SHARE) {
                largest = largest(account.caller);
                why = ofCaller + " bytes that this caller did not read, of at most " + most / CALLER_SHARE;
            } else {
                return;
            }
            if (largest != null) {
                set(largest, 0);
            }
        }
        if (largest != null) {
            largest.giveUp.accept(why);
        }
    }

    private void set(Account account, long bytes) {
        long more = bytes - account.told;
        account.told = bytes;
        all += more;
        if (ofCallers.merge(account.caller, more, Long::sum) == 0) {
            ofCallers.remove(account.caller);
        }
        if (bytes == 0) {
            behind.remove(account);
        } else {
            behind.add(account);
        }
    }

    private @Nullable Account largest(@Nullable String caller) {
        Account largest = null;
        for (Account account : behind) {
            if ((caller == null || account.caller.equals(caller)) && (largest == null || account.told > largest.told)) {
                largest = account;
            }
        }
        return largest;
    }
}
