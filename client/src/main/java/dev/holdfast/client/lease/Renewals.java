package dev.holdfast.client.lease;

import dev.holdfast.client.session.Exchange;
import dev.holdfast.protocol.v1.ClientMessage;
import dev.holdfast.protocol.v1.Error;
import dev.holdfast.protocol.v1.Renew;
import dev.holdfast.protocol.v1.Renewed;
import dev.holdfast.protocol.v1.ServerMessage;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Gathers the leases that are due into as few messages as their size allows. */
final class Renewals {
    /** Eight bytes each, and a frame takes no more than some tens of thousands. */
    private static final int MAX_LEASES = 4_000;

    private final Leases leases;
    private final Set<ClientLease> due = new LinkedHashSet<>();

    Renewals(Leases leases) {
        this.leases = leases;
    }

    /** Whether a message has to be sent for it; otherwise one is on its way out already. */
    boolean add(ClientLease lease) {
        boolean first = due.isEmpty();
        due.add(lease);
        return first;
    }

    Exchange next() {
        return new Message();
    }

    private final class Message implements Exchange {
        private List<ClientLease> asked = List.of();

        @Override
        public void write(ClientMessage.Builder message) {
            if (asked.isEmpty()) {
                asked = due.stream().limit(MAX_LEASES).toList();
                asked.forEach(due::remove);
                if (!due.isEmpty()) {
                    leases.session().submit(next());
                }
            }
            Renew.Builder renew = Renew.newBuilder();
            asked.stream().filter(lease -> !lease.isOver()).forEach(lease -> renew.addLeaseIds(lease.id()));
            message.setRenew(renew);
        }

        @Override
        public boolean isWanted() {
            return asked.isEmpty() ? !due.isEmpty() : asked.stream().anyMatch(lease -> !lease.isOver());
        }

        @Override
        public void answered(ServerMessage answer, long sentNanos) {
            Renewed renewed = answer.getRenewed();
            leases.heard(sentNanos, answer.getClusterTimeMs());
            for (int i = 0; i < renewed.getLeaseIdsCount(); i++) {
                leases.confirmed(renewed.getLeaseIds(i), sentNanos, answer.getClusterTimeMs(), renewed.getEndMs(i));
            }
        }

        @Override
        public void refused(Error error) {
            // The leases' own deadlines decide; the next renewal is due in a while.
        }
    }
}
