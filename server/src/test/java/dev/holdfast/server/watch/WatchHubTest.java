package dev.holdfast.server.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.core.Item;
import dev.holdfast.core.LeaseId;
import dev.holdfast.core.Limit;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.command.Batch;
import dev.holdfast.core.command.Command;
import dev.holdfast.core.event.Event;
import dev.holdfast.core.query.MachineView;
import dev.holdfast.server.replica.Entry;
import dev.holdfast.server.replica.LockReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept for watches, and what becomes of it when their readers or the hub fall behind. */
class WatchHubTest {
    private static final LeaseId LEASE = new LeaseId(1);
    private static final WatchBounds BOUNDS = new WatchBounds(50_000, 1 << 30, 1 << 30, 1 << 30, 100, 1);

    private final HubLoop loop = new HubLoop();
    private final LockReplica replica = new LockReplica(role -> {}, (message, cause) -> fail(message, cause));
    private long index;
    private long seq;

    @BeforeEach
    void grantLease() {
        apply(List.of(new Command.GrantLease(LEASE, "p", "c", 60_000, 0)));
    }

    @AfterEach
    void stop() {
        loop.shutdownNow();
    }

    @Test
    void watches_of_a_caller_that_want_the_same_are_kept_for_once() throws Exception {
        WatchHub hub = hub(BOUNDS);
        WatchReader reader = reader(hub, "ann");
        open(hub, reader, "k");
        happen("k1", 100);
        int one = hub.waitingBytes();
        for (int i = 0; i < 100; i++) {
            open(hub, reader, "k");
        }
        happen("k1", 10);
        assertThat(hub.waitingBytes()).isPositive().isLessThan(2 * one);
        assertThat(hub.watches()).isEqualTo(101);
    }

    @Test
    void events_that_nobody_may_read_are_not_kept() throws Exception {
        WatchHub hub = hub(BOUNDS);
        open(hub, reader(hub, "ann"), "acme/", "shared/");
        happen("other/1", 100);
        assertThat(hub.waitingBytes()).isZero();
        happen("shared/1", 1);
        assertThat(hub.waitingBytes()).isPositive();
    }

    @Test
    void all_that_waits_is_let_go_with_the_watches() throws Exception {
        WatchHub hub = hub(BOUNDS);
        WatchReader reader = reader(hub, "ann");
        List<WatchFeed> feeds = List.of(open(hub, reader, "k"), open(hub, reader, "k"), open(hub, reader, ""));
        happen("k", 10);
        assertThat(hub.waitingBytes()).isPositive();
        feeds.forEach(hub::close);
        settle();
        assertThat(hub.waitingBytes()).isZero();
        assertThat(hub.watches()).isZero();
    }

    @Test
    void too_many_bytes_for_a_watch_end_it_where_it_can_resume() throws Exception {
        assertBounded(new WatchBounds(50_000, 40_000, 1 << 20, 1 << 20, 100, 1), 40_000);
    }

    @Test
    void too_many_bytes_for_a_caller_end_its_largest_watch_where_it_can_resume() throws Exception {
        assertBounded(new WatchBounds(50_000, 1 << 20, 40_000, 1 << 20, 100, 1), 40_000);
    }

    @Test
    void too_many_bytes_for_the_node_end_the_largest_watch_where_it_can_resume() throws Exception {
        assertBounded(new WatchBounds(50_000, 1 << 20, 1 << 20, 40_000, 100, 1), 40_000);
    }

    private void assertBounded(WatchBounds bounds, int most) throws Exception {
        WatchHub hub = hub(bounds);
        WatchFeed large = open(hub, reader(hub, "ann"), "large");
        WatchFeed small = open(hub, reader(hub, "bob"), "small");
        long first = revision() + 1;
        happen("small", 1);
        happen("large", 60);
        assertThat(hub.waitingBytes()).isPositive().isLessThanOrEqualTo(most);
        assertThat(hub.read(large, 500)).isEqualTo(new WatchRead.Slow(first + 2));
        assertThat(revisions(hub, small)).containsExactly(first, first + 1);
    }

    @Test
    void hub_that_falls_behind_finds_in_the_history_what_was_not_handed_over() throws Exception {
        WatchHub hub = hub(BOUNDS.withEvents(200_000));
        WatchFeed feed = open(hub, reader(hub, "ann"), "k");
        long first = revision() + 1;
        CountDownLatch stalled = stall();
        manyHappen(40);
        stalled.countDown();
        settle();
        assertThat(revisions(hub, feed))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(first, revision()).boxed().toList());
    }

    @Test
    void hub_that_falls_behind_the_history_has_its_watches_say_so() throws Exception {
        WatchHub hub = hub(BOUNDS.withEvents(200_000));
        WatchFeed feed = open(hub, reader(hub, "ann"), "k");
        apply(List.of(new Command.SetLimit(Limit.HISTORY_EVENTS, 16)));
        CountDownLatch stalled = stall();
        manyHappen(40);
        stalled.countDown();
        settle();
        WatchRead read = hub.read(feed, 500);
        List<Long> told = new ArrayList<>();
        long before = 1;
        while (read instanceof WatchRead.Events events && !events.events().isEmpty()) {
            events.events().forEach(event -> told.add(event.revision()));
            before = events.resumeRevision();
            read = hub.read(feed, 500);
        }
        assertThat(told).isSorted().doesNotHaveDuplicates();
        assertThat(read).isEqualTo(new WatchRead.Compacted(revision() - 15));
        assertThat(before).as("the first that is not told").isLessThan(revision() - 15);
    }

    @Test
    void after_a_failure_in_the_middle_of_an_event_everybody_is_told_it_once_and_what_follows() throws Exception {
        WatchHub hub = hub(BOUNDS);
        List<WatchFeed> feeds = List.of(open(hub, reader(hub, "ann"), "k"), open(hub, reader(hub, "bob"), "k"));
        long first = revision() + 1;
        loop.failOnce();
        happen("k", 2);
        assertThat(feeds)
                .allSatisfy(feed ->
                        assertThat(revisions(hub, feed)).containsExactly(first, first + 1, first + 2, first + 3));
        settle();
        assertThat(feeds).allSatisfy(feed -> assertThat(feed.state).isEqualTo(WatchFeed.State.LIVE));
        happen("k", 1);
        assertThat(feeds).allSatisfy(feed -> assertThat(revisions(hub, feed)).containsExactly(first + 4, first + 5));
    }

    @Test
    void a_caller_whose_events_take_too_long_to_find_is_told_out_of_the_history_and_others_are_not() throws Exception {
        AtomicLong time = new AtomicLong();
        List<WatchFeed> many = new CopyOnWriteArrayList<>();
        // While they are found, finding takes a third of a millisecond and more for each event.
        LongSupplier nanos = () ->
                time.addAndGet(many.stream().anyMatch(feed -> feed.state == WatchFeed.State.LIVE) ? 300_000 : 1_000);
        WatchHub hub = hub(BOUNDS.withPercent(10), nanos);
        WatchReader hog = reader(hub, "hog");
        many.addAll(open(hub, hog, 400));
        WatchFeed one = open(hub, reader(hub, "ann"), "k");
        long first = revision() + 1;
        happen("k".repeat(400), 1_000);
        assertThat(one.state).isEqualTo(WatchFeed.State.LIVE);
        assertThat(many).allSatisfy(feed -> assertThat(feed.state).isEqualTo(WatchFeed.State.CATCHING_UP));
        List<Long> all = LongStream.rangeClosed(first, revision()).boxed().toList();
        assertThat(revisions(hub, one)).isEqualTo(all);

        assertThat(many).allSatisfy(feed -> assertThat(revisions(hub, feed)).isEqualTo(all));
        many.stream().skip(1).forEach(hub::close);
        settle();
        time.addAndGet(TimeUnit.SECONDS.toNanos(60)); // enough to pay for it
        happen("k", 1);
        assertThat(revisions(hub, many.get(0))).hasSize(2);
        settle();
        assertThat(many.get(0).state).as("found again").isEqualTo(WatchFeed.State.LIVE);
        happen("k", 1);
        assertThat(revisions(hub, many.get(0))).hasSize(2);
    }

    @Test
    void a_caller_that_one_event_takes_too_long_for_is_told_out_of_the_history() throws Exception {
        AtomicLong time = new AtomicLong();
        AtomicLong each = new AtomicLong();
        WatchHub hub = hub(BOUNDS.withPercent(10), () -> time.addAndGet(each.get()));
        List<WatchFeed> many = open(hub, reader(hub, "hog"), 400);
        long first = revision() + 1;
        each.set(1_000_000); // whenever it is asked
        apply(List.of(lock("k".repeat(400))));
        settle();
        assertThat(many).allSatisfy(feed -> assertThat(feed.state).isEqualTo(WatchFeed.State.CATCHING_UP));
        assertThat(many).allSatisfy(feed -> assertThat(revisions(hub, feed)).containsExactly(first));
    }

    @Test
    void what_is_too_much_is_not_looked_for_in_all_groups_for_each_event() throws Exception {
        WatchHub hub = hub(new WatchBounds(50_000, 1 << 30, 100_000, 1 << 30, 100, 1));
        WatchReader reader = reader(hub, "ann");
        open(hub, reader, 400);
        long first = revision() + 1;
        apply(List.of(lock("k".repeat(400))));
        settle();
        Event event = replica.ask(view -> view.event(first));
        int pushes = 0;
        int steps = 0;
        for (WatchGroup group : reader.caller().groups()) {
            steps += reader.caller().push(group, event, WatchGroup.bytes(event));
            pushes++;
        }
        assertThat(pushes).isEqualTo(400);
        assertThat(steps).as("looking counts, and was done rarely").isBetween(3 * pushes, 100 * pushes);
        assertThat(reader.caller().bytes()).isLessThanOrEqualTo(100_000);
    }

    @Test
    void sending_a_caller_to_the_history_is_charged_to_it_and_not_to_who_comes_next() throws Exception {
        List<WatchFeed> many = new CopyOnWriteArrayList<>();
        AtomicLong time = new AtomicLong();
        AtomicLong each = new AtomicLong();
        // Each watch that is sent away takes a millisecond.
        LongSupplier nanos = () -> time.addAndGet(each.get())
                + 1_000_000
                        * many.stream()
                                .filter(feed -> feed.state == WatchFeed.State.CATCHING_UP)
                                .count();
        WatchHub hub = hub(BOUNDS.withPercent(10), nanos);
        many.addAll(open(hub, reader(hub, "hog"), 100));
        WatchReader ann = reader(hub, "ann");
        open(hub, ann, "z");
        each.set(2_000_000);
        CountDownLatch stalled = stall();
        apply(List.of(lock("k".repeat(100))));
        apply(List.of(lock("z")));
        loop.execute(() -> each.set(0));
        stalled.countDown();
        settle();
        assertThat(many).allSatisfy(feed -> assertThat(feed.state).isEqualTo(WatchFeed.State.CATCHING_UP));
        assertThat(ann.caller().turns.paidInNanos(nanos.getAsLong())).isLessThan(25_000_000);
    }

    @Test
    void a_caller_that_comes_back_still_owes_what_it_owed_and_is_forgotten_once_it_is_paid() throws Exception {
        AtomicLong time = new AtomicLong();
        WatchHub hub = hub(BOUNDS.withPercent(10), time::get);
        WatchReader hog = reader(hub, "hog");
        loop.submit(() -> hog.caller().turns.spend(200_000_000)).get();
        hub.leave(hog);
        settle();
        WatchReader back = reader(hub, "hog");
        assertThat(open(hub, back, "k").state).isEqualTo(WatchFeed.State.CATCHING_UP);
        time.addAndGet(TimeUnit.SECONDS.toNanos(60));
        hub.leave(back);
        settle();
        assertThat(hub.callers()).isZero();
    }

    /** So many watches of one reader, which all want what begins with that many letters. */
    private List<WatchFeed> open(WatchHub hub, WatchReader reader, int watches) throws Exception {
        List<WatchFeed> feeds = new ArrayList<>();
        for (int length = 0; length < watches; length++) {
            feeds.add(start(hub, reader, "k".repeat(length)));
        }
        settle();
        return feeds;
    }

    private WatchHub hub(WatchBounds bounds) {
        return hub(bounds, System::nanoTime);
    }

    private WatchHub hub(WatchBounds bounds, LongSupplier nanos) {
        WatchHub hub = new WatchHub(replica, bounds, loop, nanos);
        replica.listen(hub);
        return hub;
    }

    /** One that does not read by itself. */
    private static WatchReader reader(WatchHub hub, String caller) {
        return hub.reader(caller, Runnable::run, over -> false);
    }

    private WatchFeed open(WatchHub hub, WatchReader reader, String... prefixes) throws Exception {
        WatchFeed feed = start(hub, reader, prefixes);
        settle();
        return feed;
    }

    private WatchFeed start(WatchHub hub, WatchReader reader, String... prefixes) {
        WatchSpec spec = new WatchSpec(prefixes[0], true, 0, replica.epoch());
        return hub.open(reader, spec, List.of(prefixes), false, revision() + 1, () -> {});
    }

    private static List<Long> revisions(WatchHub hub, WatchFeed feed) {
        List<Long> revisions = new ArrayList<>();
        boolean more = true;
        while (more) {
            WatchRead.Events read = (WatchRead.Events) hub.read(feed, 500);
            for (Event event : read.events()) {
                revisions.add(event.revision());
            }
            more = read.more();
        }
        return revisions;
    }

    /** Locks and unlocks a key, so many times. */
    private void happen(String key, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            apply(List.of(lock(key)));
            apply(List.of(unlock(key, revision())));
        }
        settle();
    }

    /** A thousand locks and unlocks in an entry, so many times. */
    private void manyHappen(int entries) {
        for (int i = 0; i < entries; i++) {
            List<Command> commands = new ArrayList<>();
            long revision = revision();
            for (int j = 0; j < 1_000; j++) {
                commands.add(lock("k"));
                commands.add(unlock("k", ++revision));
                revision++;
            }
            apply(commands);
        }
    }

    private Command lock(String key) {
        seq++;
        return new Command.Acquire(
                LEASE,
                "p",
                seq,
                seq,
                List.of(Item.exclusive(LockKey.of(key))),
                0,
                0,
                0,
                0,
                false,
                "",
                Metadata.of(new byte[1_000]));
    }

    private Command unlock(String key, long token) {
        return new Command.Release(LEASE, "p", LockKey.of(key), token, seq);
    }

    private void apply(List<Command> commands) {
        index++;
        replica.apply(1, index, new Entry(1, index, Batch.of(1, 0, 0, commands)).encode());
    }

    private long revision() {
        return replica.ask(MachineView::revision);
    }

    /** Until the hub has done all that it was asked to: it rests for a millisecond after each look. */
    private void settle() throws Exception {
        for (int i = 0; i < 3; i++) {
            loop.schedule(() -> {}, 2, TimeUnit.MILLISECONDS).get();
        }
    }

    /** Until this is counted down, the hub does nothing. */
    private CountDownLatch stall() {
        CountDownLatch stalled = new CountDownLatch(1);
        loop.execute(() -> {
            try {
                stalled.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return stalled;
    }
}
