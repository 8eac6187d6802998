package dev.holdfast.transcript.words;

import dev.holdfast.core.Metadata;
import dev.holdfast.core.query.LeaseView;
import dev.holdfast.core.query.LockView;
import java.util.ArrayList;
import java.util.List;

/** Locks and leases as somebody who looks at them sees them. */
public final class LockWords {
    private LockWords() {}

    /** All of one lock: its record, who holds it, who waits. */
    public static List<String> shown(LockView lock, long now) {
        List<String> lines = new ArrayList<>();
        String permits = lock.capacity() == 0 ? "" : " with " + lock.capacity() + " permits";
        lines.add(Phrases.key(lock.key()) + permits + ": created at revision " + lock.createRevision()
                + ", changed at revision " + lock.modRevision() + ", version " + lock.version());
        for (LockView.Holder holder : lock.holders()) {
            lines.add(holder(holder, now));
        }
        int place = 1;
        for (LockView.Waiter waiter : lock.waiters()) {
            lines.add(waiter(waiter, place++, now));
        }
        if (lock.waiterCount() > lock.waiters().size()) {
            lines.add("and " + (lock.waiterCount() - lock.waiters().size()) + " more wait");
        }
        return lines;
    }

    /** One lock in one line. */
    public static String listed(LockView lock) {
        List<String> held = new ArrayList<>();
        for (LockView.Holder holder : lock.holders()) {
            String how = holder.lingering() ? "closed after " : "held by ";
            held.add(how + holder.clientId() + ", token " + Phrases.token(holder.token()));
        }
        String waiting = lock.waiterCount() == 0 ? "" : (held.isEmpty() ? "" : "; ") + lock.waiterCount() + " waiting";
        return Phrases.key(lock.key()) + ": " + Phrases.and(held) + waiting;
    }

    /** One lease in one line. */
    public static String lease(LeaseView lease) {
        String delay = lease.lockDelayMillis() == 0 ? "" : ", lock-delay " + Phrases.duration(lease.lockDelayMillis());
        String held = lease.held().isEmpty() ? "" : ", holds " + Phrases.things(lease.held());
        String awaited = lease.awaited().isEmpty() ? "" : ", waits for " + Phrases.things(lease.awaited());
        return lease.clientId() + "'s lease " + lease.id().value() + " of "
                + Phrases.duration(lease.grantedTtlMillis()) + ": " + Phrases.duration(lease.leftMillis()) + " left"
                + delay + held + awaited;
    }

    private static String holder(LockView.Holder holder, long now) {
        String token = ", token " + Phrases.token(holder.token());
        if (holder.lingering()) {
            return "closed since " + holder.clientId() + " was lost" + token + ", opens in "
                    + left(holder.holdEndMillis(), now);
        }
        String end = holder.holdEndMillis() == 0 ? "" : ", at most " + left(holder.holdEndMillis(), now) + " more";
        return holder.clientId() + " holds " + Phrases.things(List.of(holder.hold())) + token + ", for "
                + Phrases.duration(holder.ageMillis()) + " now" + end + ", lease left "
                + Phrases.duration(holder.leaseLeftMillis()) + about(holder.purpose(), holder.metadata());
    }

    private static String waiter(LockView.Waiter waiter, int place, long now) {
        String wanted = Phrases.things(List.of(waiter.wants()));
        String end = waiter.waitEndMillis() == 0 ? "" : ", at most " + left(waiter.waitEndMillis(), now) + " more";
        return waiter.clientId() + " waits " + (waiter.upgrade() ? "to upgrade to " : "for ") + wanted + ", "
                + Phrases.ordinal(place) + " in line, for " + Phrases.duration(waiter.ageMillis()) + " now" + end
                + ", lease left " + Phrases.duration(waiter.leaseLeftMillis())
                + about(waiter.purpose(), waiter.metadata());
    }

    /** Nothing is left of what is past its time and waits for its tick of the grid. */
    private static String left(long endMillis, long now) {
        return Phrases.duration(Math.max(0, endMillis - now));
    }

    static String about(String purpose, Metadata metadata) {
        return (purpose.isEmpty() ? "" : ", purpose \"" + purpose + '"')
                + (metadata.length() == 0 ? "" : ", metadata \"" + metadata + '"');
    }
}
