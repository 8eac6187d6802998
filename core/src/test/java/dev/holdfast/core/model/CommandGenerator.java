package dev.holdfast.core.model;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.command.Command.Cancel;
import dev.holdfast.core.command.Command.Describe;
import dev.holdfast.core.command.Command.Downgrade;
import dev.holdfast.core.command.Command.ExtendLease;
import dev.holdfast.core.command.Command.ForceRelease;
import dev.holdfast.core.command.Command.GrantLease;
import dev.holdfast.core.command.Command.RaiseFeatureLevel;
import dev.holdfast.core.command.Command.Release;
import dev.holdfast.core.command.Command.RevokeLease;
import dev.holdfast.core.command.Command.Upgrade;
import dev.holdfast.core.image.LeaseImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.machine.LockMachine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Makes up, from one seed, what happens to a machine.
 *
 * <p>It looks at the state before each step: most commands concern leases, grants and waits that exist, so that
 * queues, upgrades, deadlocks and expiries come about; the rest is stale, foreign or wrong.
 */
final class CommandGenerator {
    private static final long LONGEST_MILLIS = 1L << 42;

    private final Chance chance;
    private final World world;
    private final AcquireGenerator acquires;
    private long term = 1;
    private boolean started;
    private ImageView view;

    CommandGenerator(long seed, StateImage initial) {
        chance = new Chance(seed);
        world = new World(chance);
        acquires = new AcquireGenerator(chance, world);
        view = new ImageView(initial);
    }

    /** One thing that happens to a machine. */
    sealed interface Step {}

    record Entry(long term, Batch batch) implements Step {}

    record Restore(long highestTokenSeen, long quarantineMillis) implements Step {}

    Step next(StateImage image) {
        view = new ImageView(image);
        acquires.look(view);
        if (!started) {
            started = true;
            return new Entry(term, Batch.of(term, 0, wall(), world.initialLimits()));
        }
        if (chance.perMille(4)) {
            return new Restore(highestTokenSeen(), quarantine());
        }
        List<Command> commands = new ArrayList<>();
        int count = chance.below(5);
        for (int i = 0; i < count; i++) {
            commands.add(command());
        }
        return entry(commands);
    }

    private Entry entry(List<Command> commands) {
        if (chance.percent(3)) {
            term++;
        }
        boolean stale = chance.percent(6);
        long stamp = stale ? view.now() + chance.between(-50, 5_000) : view.now() + elapsed();
        return new Entry(term, new Batch(stale ? term - 1 : term, stamp, wall(), renewals(), commands));
    }

    private long highestTokenSeen() {
        long epoch = Math.max(0, view.image().header().epoch() + chance.between(-1, 3));
        return chance.percent(30) ? 0 : epoch << FencingToken.REVISION_BITS | chance.between(0, 9_999);
    }

    /** Seldom as long as any lease can last: nothing is granted meanwhile. */
    private long quarantine() {
        return chance.percent(15) ? LockMachine.LONGEST_LEASE : chance.percent(30) ? 0 : chance.between(1, 3_000);
    }

    private long wall() {
        return 1_000_000 + view.now() + chance.below(100);
    }

    private long elapsed() {
        if (world.isCalm() && chance.percent(85)) {
            return chance.below(2);
        }
        List<Long> deadlines = view.deadlines();
        if (!deadlines.isEmpty() && chance.percent(30)) {
            // Just before, at, and just after something falls due.
            long deadline = chance.percent(80) ? Collections.min(deadlines) : chance.pick(deadlines);
            return deadline - view.now() + chance.between(-1, 1);
        }
        return switch (chance.below(8)) {
            case 0, 1, 2 -> 0;
            case 3, 4 -> chance.between(1, 16);
            case 5 -> chance.between(16, 100);
            case 6 -> chance.between(100, 700);
            default -> chance.between(-20, 40);
        };
    }

    private long[] renewals() {
        List<Long> ids = new ArrayList<>();
        for (LeaseImage lease : view.leases()) {
            if (chance.percent(60)) {
                ids.add(lease.id().value());
            }
        }
        if (chance.percent(8)) {
            ids.add(chance.percent(90) ? world.leaseId().value() : 0);
        }
        return ids.stream().mapToLong(Long::longValue).toArray();
    }

    private Command command() {
        boolean few = view.leases().size() < world.leases();
        if (chance.percent(few ? 35 : 4)) {
            return grantLease();
        }
        int roll = chance.below(100);
        if (roll < 45) {
            return acquires.acquire(leaseId());
        }
        if (roll < 55) {
            return upgrade();
        }
        if (roll < 61) {
            return downgrade();
        }
        if (roll < 64) {
            return describe();
        }
        if (roll < 80) {
            return release();
        }
        if (roll < 89) {
            return cancel();
        }
        if (roll < 93) {
            return extend();
        }
        if (roll < 95) {
            LeaseId lease = leaseId();
            return new RevokeLease(lease, principalOf(lease));
        }
        if (roll < 97) {
            return forceRelease();
        }
        return roll < 99 ? world.anotherLimit() : new RaiseFeatureLevel(chance.below(2));
    }

    private LeaseId leaseId() {
        List<LeaseImage> leases = view.leases();
        return leases.isEmpty() || chance.percent(8)
                ? world.leaseId()
                : chance.pick(leases).id();
    }

    private String principalOf(LeaseId id) {
        return acquires.principalOf(id);
    }

    private GrantLease grantLease() {
        List<LeaseImage> leases = view.leases();
        if (!leases.isEmpty() && chance.percent(15)) {
            LeaseImage again = chance.pick(leases);
            long ttl = chance.percent(80) ? again.grantedTtlMillis() : again.grantedTtlMillis() + 1;
            return new GrantLease(again.id(), principalOf(again.id()), again.clientId(), ttl, again.lockDelayMillis());
        }
        LeaseId id = world.newLeaseId();
        long ttl = chance.percent(30) ? chance.between(20, 200) : chance.between(200, 2_000);
        long delay = chance.percent(30) ? chance.between(1, 400) : 0;
        return switch (chance.below(50)) {
            case 0 -> new GrantLease(id, world.principalOf(id), "c", chance.between(-1, 19), delay);
            case 1 -> new GrantLease(id, world.principalOf(id), "c", 86_400_001, delay);
            case 2 -> new GrantLease(id, world.principalOf(id), "client".repeat(50), ttl, delay);
            case 3 -> new GrantLease(id, "principal-ü".repeat(50), "c", ttl, delay);
            case 4 -> new GrantLease(id, world.principalOf(id), "c", ttl, chance.percent(50) ? -1 : 60_001);
            default -> new GrantLease(id, world.principalOf(id), world.clientId(), ttl, delay);
        };
    }

    private ExtendLease extend() {
        LeaseId lease = leaseId();
        long additional = switch (chance.below(10)) {
            case 0 -> chance.between(-3, 0);
            case 1 -> 86_400_001;
            case 2 -> chance.percent(50) ? Long.MAX_VALUE : 86_400_000;
            default -> chance.between(1, 600);
        };
        long id = chance.percent(3) ? -1 : chance.percent(40) ? 0 : chance.between(1, 12);
        if (chance.percent(2)) {
            return new ExtendLease(lease, principalOf(lease), additional, chance.between(-1, 1), id);
        }
        return chance.percent(40)
                ? new ExtendLease(lease, principalOf(lease), 0, additional, id)
                : new ExtendLease(lease, principalOf(lease), additional, 0, id);
    }

    private long wait(int oddPercent) {
        return chance.percent(oddPercent) ? chance.percent(50) ? -2 : LONGEST_MILLIS + 1 : acquires.waitMillis();
    }

    private LockKey keyOf(RequestImage request) {
        return chance.percent(96) ? chance.pick(request.claims()).key() : world.key();
    }

    private LeaseId leaseOf(RequestImage request) {
        return chance.percent(96) ? request.lease() : leaseId();
    }

    private long tokenOf(RequestImage grant) {
        return switch (chance.below(24)) {
            case 0 -> view.token(grant) - 1;
            case 1 -> view.highestToken() + chance.between(0, 10);
            case 2 -> chance.between(-1, 1);
            case 3 -> chance.between(1, Math.max(1, view.highestToken()));
            case 4 -> chance.pick(view.heldOrLingering()).revision();
            default -> view.token(grant);
        };
    }

    private Upgrade upgrade() {
        List<RequestImage> shared = chance.percent(90) ? view.heldShared() : view.held();
        if (shared.isEmpty()) {
            LeaseId lease = leaseId();
            return upgrade(lease, world.key(), chance.between(0, 50));
        }
        RequestImage grant = chance.pick(shared);
        return upgrade(leaseOf(grant), keyOf(grant), tokenOf(grant));
    }

    private Upgrade upgrade(LeaseId lease, LockKey key, long token) {
        long seq = chance.percent(2) ? chance.between(-1, 0) : acquires.seq(lease);
        long actor = chance.percent(60) ? 0 : chance.between(1, 3);
        return new Upgrade(lease, principalOf(lease), seq, acquires.ackedBelow(lease), key, token, actor, wait(2));
    }

    private Downgrade downgrade() {
        List<RequestImage> exclusive = chance.percent(85) ? view.heldExclusive() : view.held();
        if (exclusive.isEmpty()) {
            LeaseId lease = leaseId();
            return new Downgrade(lease, principalOf(lease), world.key(), chance.between(0, 50));
        }
        RequestImage grant = chance.pick(exclusive);
        LeaseId lease = leaseOf(grant);
        return new Downgrade(lease, principalOf(lease), keyOf(grant), tokenOf(grant));
    }

    private Describe describe() {
        List<RequestImage> held = chance.percent(92) ? view.held() : view.heldOrLingering();
        if (held.isEmpty()) {
            LeaseId lease = leaseId();
            return new Describe(lease, principalOf(lease), world.key(), chance.between(0, 50), Metadata.NONE);
        }
        RequestImage grant = chance.pick(held);
        LeaseId lease = leaseOf(grant);
        Metadata metadata = switch (chance.below(8)) {
            case 0 -> grant.metadata();
            case 1 -> Metadata.NONE;
            case 2 -> Metadata.of("m".repeat(chance.percent(50) ? 5 : 4_097));
            default -> Metadata.of("m" + chance.below(3));
        };
        return new Describe(lease, principalOf(lease), keyOf(grant), tokenOf(grant), metadata);
    }

    private Release release() {
        List<RequestImage> held = chance.percent(92) ? view.held() : view.heldOrLingering();
        List<RequestImage> waiting = view.waiting();
        if (!waiting.isEmpty() && chance.percent(8)) {
            RequestImage request = chance.pick(waiting);
            return release(leaseOf(request), keyOf(request), chance.percent(70) ? 0 : request.revision());
        }
        if (held.isEmpty()) {
            return release(leaseId(), world.key(), chance.between(-1, 50));
        }
        RequestImage grant = chance.pick(held);
        boolean withoutId = grant.seq() == 0 && chance.percent(60);
        return release(leaseOf(grant), keyOf(grant), withoutId ? 0 : tokenOf(grant));
    }

    private Release release(LeaseId lease, LockKey key, long token) {
        return new Release(lease, principalOf(lease), key, token, acquires.ackedBelow(lease));
    }

    private Cancel cancel() {
        List<RequestImage> waiting = view.waiting();
        if (!waiting.isEmpty() && chance.percent(35)) {
            RequestImage request = chance.pick(waiting);
            return cancel(leaseOf(request), request.seq());
        }
        LeaseId lease = leaseId();
        long seq = acquires.seq(lease);
        return cancel(
                lease,
                switch (chance.below(12)) {
                    case 0 -> chance.between(-1, 0);
                    case 1 -> seq + chance.between(1, 12);
                    case 2 -> chance.between(8_000, 13_000);
                    default -> seq;
                });
    }

    private Cancel cancel(LeaseId lease, long seq) {
        return new Cancel(lease, principalOf(lease), seq, acquires.ackedBelow(lease));
    }

    private ForceRelease forceRelease() {
        List<RequestImage> held = view.heldOrLingering();
        String reason = chance.percent(6) ? "" : chance.percent(6) ? "too long".repeat(33) : "stuck";
        String by = chance.percent(6) ? "operator".repeat(33) : "op";
        if (held.isEmpty()) {
            return new ForceRelease(world.key(), chance.between(-1, 50), by, reason);
        }
        RequestImage grant = chance.pick(held);
        return new ForceRelease(keyOf(grant), tokenOf(grant), by, reason);
    }
}
