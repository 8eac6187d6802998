package dev.holdfast.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.image.LockImage;
import dev.holdfast.core.image.RequestImage;
import dev.holdfast.core.image.StateImage;
import dev.holdfast.core.index.KeyedHash;
import dev.holdfast.core.state.StateLoader;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A state that cannot have come about is not loaded, whatever its checksums say. */
class DamagedStateTest {
    private static final String APP = "app";
    private static final LeaseId LEASE = new LeaseId(1);

    private final LockMachine machine = new LockMachine();
    private long seq;

    @BeforeEach
    void start() {
        apply(new Command.GrantLease(LEASE, APP, "c", 10_000, 0));
        acquire("a");
        acquire("a");
        acquire("b");
    }

    private void apply(Command command) {
        machine.apply(1, Batch.of(1, 0, 0, List.of(command)));
    }

    private void acquire(String key) {
        seq++;
        List<Item> items = List.of(Item.exclusive(LockKey.of(key)));
        apply(new Command.Acquire(
                LEASE, APP, seq, seq, items, 0, 0, Command.WAIT_FOREVER, 0, false, "", Metadata.NONE));
    }

    private StateImage load(UnaryOperator<RequestImage> damage) {
        StateImage image = machine.image();
        StateLoader loader = new StateLoader(KeyedHash.OPEN);
        loader.header(image.header());
        image.leases().forEach(loader::lease);
        for (LockImage lock : image.locks()) {
            loader.lock(lock);
            lock.requests().stream().map(damage).forEach(loader::request);
        }
        return new LockMachine(loader.finish()).image();
    }

    private static LockImage made(LockImage lock, long createRevision) {
        return new LockImage(
                lock.key(),
                lock.capacity(),
                createRevision,
                lock.modRevision(),
                lock.version(),
                lock.untriedFrom(),
                lock.untriedAgain(),
                lock.requests());
    }

    private static RequestImage waiting(RequestImage request, LockKey parkedOn, long upgrades) {
        return new RequestImage(
                request.lease(),
                request.clientId(),
                request.state(),
                request.seq(),
                request.revision(),
                request.owner(),
                request.actor(),
                request.claims(),
                request.sinceMillis(),
                request.wallMillis(),
                request.endMillis(),
                request.maxHoldMillis(),
                parkedOn,
                upgrades,
                request.leaseCoversWait(),
                request.deadlockChecked(),
                request.purpose(),
                request.metadata());
    }

    private static UnaryOperator<RequestImage> waiter(LockKey parkedOn, long upgrades) {
        return request ->
                request.state() == RequestImage.State.WAITING ? waiting(request, parkedOn, upgrades) : request;
    }

    @Test
    void state_that_came_about_is_loaded() {
        assertThat(load(request -> request).locks()).isEqualTo(machine.image().locks());
    }

    @Test
    void record_that_nobody_made_is_noticed() {
        StateLoader loader = new StateLoader(KeyedHash.OPEN);
        loader.header(machine.image().header());
        LockImage unmade = made(machine.image().locks().get(0), 0);
        assertThatThrownBy(() -> loader.lock(unmade)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void record_that_nobody_needs_is_noticed() {
        StateImage image = machine.image();
        StateLoader loader = new StateLoader(KeyedHash.OPEN);
        loader.header(image.header());
        image.leases().forEach(loader::lease);
        image.locks().forEach(loader::lock);
        assertThatThrownBy(loader::finish).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void upgrade_of_nothing_is_noticed() {
        assertThatThrownBy(() -> load(waiter(LockKey.of("a"), 99))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void waiter_where_nobody_is_in_its_way_is_noticed() {
        StateImage image = machine.image();
        StateLoader loader = new StateLoader(KeyedHash.OPEN);
        loader.header(image.header());
        image.leases().forEach(loader::lease);
        LockImage lock = image.locks().get(0);
        loader.lock(lock);
        lock.requests().stream()
                .filter(request -> request.state() == RequestImage.State.WAITING)
                .forEach(loader::request);
        assertThatThrownBy(loader::finish).isInstanceOf(IllegalArgumentException.class);
    }
}
