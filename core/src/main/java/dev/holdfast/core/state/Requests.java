package dev.holdfast.core.state;

import dev.holdfast.core.Item;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.Permits;
import dev.holdfast.core.command.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes requests out of commands. What it makes is not in the state until a transition puts it there. */
public final class Requests {
    private final State state;

    public Requests(State state) {
        this.state = state;
    }

    /**
     * A request for what an acquire asks.
     *
     * @param items sorted by key
     */
    public Request of(Lease lease, Command.Acquire command, List<Item> items) {
        Item first = items.get(0);
        Request request = new Request(
                lease,
                command.seq(),
                command.owner(),
                actor(lease, command.actor()),
                command.purpose(),
                command.metadata(),
                lockFor(first),
                first.kind(),
                first.mode() == Mode.EXCLUSIVE);
        request.permits = Permits.wanted(first.count());
        Claim last = request;
        for (Item item : items.subList(1, items.size())) {
            Claim claim = new FurtherClaim(request, lockFor(item), item.kind(), item.mode() == Mode.EXCLUSIVE);
            claim.permits = Permits.wanted(item.count());
            last.next = claim;
            last = claim;
        }
        return request;
    }

    /** A request to make a grant's shared claims, of which it has at least one, exclusive. */
    public Request upgrade(Request grant, Command.Upgrade command) {
        Request upgrade = null;
        Claim last = null;
        for (Claim claim = grant; claim != null; claim = claim.next()) {
            if (claim.exclusive) {
                continue;
            }
            if (upgrade == null || last == null) {
                Actor actor = grant.actor != null ? grant.actor : actor(grant.lease, command.actor());
                upgrade = new Request(
                        grant.lease,
                        command.seq(),
                        grant.owner,
                        actor,
                        "",
                        Metadata.NONE,
                        claim.lock(),
                        claim.kind(),
                        true);
                last = upgrade;
            } else {
                last.next = new FurtherClaim(upgrade, claim.lock(), claim.kind(), true);
                last = last.next;
            }
        }
        if (upgrade == null) {
            throw new IllegalArgumentException("nothing shared to upgrade");
        }
        upgrade.waiting = new Waiting(grant, command.waitMillis(), 0, false);
        return upgrade;
    }

    private Lock lockFor(Item item) {
        Lock lock = state.lockOrNew(item.key());
        if (!lock.isRecorded()) {
            lock.capacity = item.capacity();
        }
        return lock;
    }

    private @Nullable Actor actor(Lease lease, long number) {
        if (number == 0) {
            return null;
        }
        Actor.Name name = new Actor.Name(lease.principal, lease.clientId, number);
        Actor known = state.actors.get(name);
        return known != null ? known : new Actor(name, state.hash());
    }
}
