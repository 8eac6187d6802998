package dev.holdfast.server.websocket;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.query.MachineView;
import java.util.List;
import java.util.Optional;

/** What one client looks up in a state to find its lease for a key: each call is a look-up, while nothing is applied. */
interface Looks {
    /** Whether this is a lease of the client that lives. */
    boolean lives(LeaseId lease);

    /** Whether the id cannot be used again yet. */
    boolean hasEnded(LeaseId lease);

    /** The leases that hold a key or wait for it, whoever's; none if there are more than so many. */
    Optional<List<LeaseId>> at(LockKey key, int most);

    static Looks in(MachineView view, String principal) {
        return new Looks() {
            @Override
            public boolean lives(LeaseId lease) {
                return view.leaseEndMillis(lease, principal).isPresent();
            }

            @Override
            public boolean hasEnded(LeaseId lease) {
                return view.hasEnded(lease);
            }

            @Override
            public Optional<List<LeaseId>> at(LockKey key, int most) {
                return view.leasesAt(key, most);
            }
        };
    }
}
