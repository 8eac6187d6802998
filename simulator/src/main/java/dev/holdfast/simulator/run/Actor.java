package dev.holdfast.simulator.run;

import dev.holdfast.client.api.CompactedException;
import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.HoldfastException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.core.ClientCore;
import dev.holdfast.client.grant.AcquireOptions;
import dev.holdfast.client.grant.ExportedGrant;
import dev.holdfast.client.watch.WatchOptions;
import dev.holdfast.protocol.v1.GetRequest;
import dev.holdfast.protocol.v1.GetResponse;
import dev.holdfast.protocol.v1.LockServiceGrpc;
import dev.holdfast.simulator.check.LockInput;
import dev.holdfast.simulator.check.LockOutput;
import dev.holdfast.simulator.client.SimulatedClient;
import dev.holdfast.simulator.promise.BelievedGrant;
import dev.holdfast.simulator.promise.Histories;
import dev.holdfast.simulator.promise.WatchDelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Somebody who uses one client: wants locks, gives them back, changes its mind, reads and watches. */
final class Actor {
    private static final long MILLI = 1_000_000;
    private static final int MAX_UNDER_WAY = 6;
    private static final int MAX_WATCHES = 3;
    /** Lower numbers are those of actors that do several things at a time. */
    private static final long FIRST_THREAD = 1_000;

    private final Simulation run;
    private final SimulatedClient client;
    private final String clientId;
    private final RandomGenerator chance;
    private final RandomOptions choices;
    private final List<Grant> held = new ArrayList<>();
    private final List<Open> watches = new ArrayList<>();
    private final ElectionActor elections;
    private long threads = FIRST_THREAD;
    private int underWay;
    private boolean leaving;

    private record Open(WatchDelivery watched, Subscription subscription) {}

    Actor(Simulation run, SimulatedClient client, String clientId) {
        this.run = run;
        this.client = client;
        this.clientId = clientId;
        this.chance = client.process().world().chance();
        this.choices = new RandomOptions(chance);
        this.elections =
                new ElectionActor(this, client.api().election(choices.election()), chance, run.findings(), run.ttl());
        client.process().whenAwake(run.belief()::look);
        think();
    }

    SimulatedClient client() {
        return client;
    }

    private ClientCore core() {
        return client.core();
    }

    /** What it has begun and has no answer to. */
    int underWay() {
        return underWay;
    }

    private void think() {
        long nanos = chance.nextInt(20) == 0 ? chance.nextLong(2_000 * MILLI) : chance.nextLong(60 * MILLI);
        var unused = client.process().schedule(nanos, () -> {
            if (!leaving) {
                act();
                think();
            }
        });
    }

    private void act() {
        if (!run.begins()) {
            return;
        }
        int luck = chance.nextInt(100);
        if (luck < 30 && !held.isEmpty()) {
            release(held.remove(chance.nextInt(held.size())));
        } else if (luck < 36 && !held.isEmpty()) {
            change(held.get(chance.nextInt(held.size())));
        } else if (luck < 46) {
            read(choices.recordedKey());
        } else if (luck < 58) {
            tryRecorded(choices.recordedKey());
        } else if (luck < 60) {
            watch();
        } else if (luck < 62 && !watches.isEmpty()) {
            unwatch(watches.remove(chance.nextInt(watches.size())));
        } else if (luck < 64) {
            acquire(choices.portable(), true);
        } else if (luck < 70 && underWay < MAX_UNDER_WAY) {
            nest(choices.nested());
        } else if (luck < 76) {
            elections.act();
        } else if (underWay < MAX_UNDER_WAY) {
            acquire(choices.any(), false);
        }
    }

    // Locks ------------------------------------------------------------------------------------------

    private void acquire(AcquireOptions options, boolean handsOn) {
        note("wants " + options.items().stream().map(item -> item.getKey()).toList());
        CompletableFuture<Optional<Grant>> asked =
                core().grants().acquire(options).future(found -> found);
        begin(
                asked,
                (found, failure) -> found.ifPresent(grant -> {
                    told(grant);
                    if (handsOn) {
                        handOn(grant);
                    } else {
                        hold(grant);
                    }
                }));
        if (chance.nextInt(8) == 0) {
            var unused = client.process().schedule(chance.nextLong(500 * MILLI), () -> asked.cancel(false));
        }
    }

    /** Takes one lock and then another, as a thread would, and gives none back before it is told of both. */
    private void nest(List<String> keys) {
        long thread = ++threads;
        note("wants " + keys + " one by one");
        begin(
                core().grants().acquire(choices.patient(keys.get(0), thread)).future(found -> found),
                (first, failure) -> first.ifPresent(outer -> {
                    told(outer);
                    begin(
                            core().grants()
                                    .acquire(choices.patient(keys.get(1), thread))
                                    .future(found -> found),
                            (second, refusal) -> {
                                hold(outer);
                                second.ifPresent(inner -> {
                                    told(inner);
                                    hold(inner);
                                });
                            });
                }));
    }

    private void told(Grant grant) {
        note("holds " + grant.keys() + " by " + grant.token());
        believes(BelievedGrant.of(grant));
    }

    void believes(BelievedGrant holding) {
        run.belief().told(client.process(), holding);
    }

    private void hold(Grant grant) {
        held.add(grant);
        if (leaving) {
            giveAllBack();
        }
    }

    private void tryRecorded(String key) {
        Histories.Call call = run.histories().call(key, clientId, new LockInput.TryAcquire(clientId));
        begin(core().grants().acquire(choices.now(key)).future(found -> found), (found, failure) -> {
            if (found.isPresent()) {
                call.returned(new LockOutput.Granted(found.get().token()));
                told(found.get());
                hold(found.get());
            } else if (failure == null) {
                call.returned(new LockOutput.Denied());
            }
        });
    }

    private void release(Grant grant) {
        note("gives back " + grant.token());
        if (grant.key().startsWith(RandomOptions.RECORDED)) {
            releaseRecorded(grant);
        } else if (chance.nextBoolean()) {
            grant.close();
        } else {
            begin(grant.releaseAsync().thenApply(Optional::of), (outcome, failure) -> {});
        }
    }

    private void releaseRecorded(Grant grant) {
        if (grant.state() == Grant.State.LOST) {
            grant.close(); // the cluster may not know yet, and the client does not ask
            return;
        }
        Histories.Call call =
                run.histories().call(grant.key(), clientId, new LockInput.Release(clientId, grant.token()));
        begin(
                grant.releaseAsync().thenApply(Optional::of),
                (outcome, failure) -> outcome.ifPresent(found -> call.returned(
                        found == Grant.Outcome.RELEASED ? new LockOutput.Released() : new LockOutput.NotHeld())));
    }

    private void change(Grant grant) {
        if (!grant.isValid() || !grant.slots().isEmpty() || grant.key().startsWith(RandomOptions.RECORDED)) {
            return;
        }
        note((grant.isShared() ? "upgrades " : "downgrades ") + grant.token());
        begin(
                (grant.isShared()
                                ? grant.upgradeAsync(Duration.ofMillis(chance.nextLong(2_000)))
                                : grant.downgradeAsync())
                        .thenApply(Optional::of),
                (done, failure) -> {});
    }

    /** Gives a grant to somebody else, who may take it up. */
    private void handOn(Grant grant) {
        if (!grant.isValid() || grant.keys().size() > 1) {
            hold(grant);
            return;
        }
        run.handOn(grant.export());
    }

    void takeUp(String text) {
        begin(
                core().grants().adopt(ExportedGrant.read(text)).thenApply(Optional::of),
                (grant, failure) -> grant.ifPresent(taken -> {
                    told(taken);
                    hold(taken);
                }));
    }

    // Reads and watches ------------------------------------------------------------------------------

    private void read(String key) {
        if (chance.nextInt(4) == 0) {
            begin(ask(key, true).thenApply(Optional::of), (answer, failure) -> {});
            return;
        }
        Histories.Call call = run.histories().call(key, clientId, new LockInput.Read());
        begin(
                ask(key, false).thenApply(Optional::of),
                (answer, failure) -> answer.ifPresent(found -> call.returned(holder(found))));
    }

    private CompletableFuture<GetResponse> ask(String key, boolean stale) {
        return core().session()
                .calls()
                .callAsync(
                        LockServiceGrpc.getGetMethod(),
                        GetRequest.newBuilder().setName(key).setStale(stale).build());
    }

    private static LockOutput holder(GetResponse answer) {
        return answer.hasLock() && answer.getLock().getHoldersCount() > 0
                ? LockOutput.Holder.of(
                        answer.getLock().getHolders(0).getHolderId(),
                        answer.getLock().getHolders(0).getFencingToken())
                : LockOutput.Holder.NONE;
    }

    private void watch() {
        if (watches.size() >= MAX_WATCHES) {
            return;
        }
        WatchOptions options = choices.watch(run.cursor());
        WatchDelivery watched = run.watched(clientId, options);
        note("watches " + options);
        CompletableFuture<Subscription> opening = core().watches()
                .listenAsync(
                        options,
                        event -> {
                            note("sees " + event.kind() + " of " + event.key() + " at " + event.revision() + ", by "
                                    + options);
                            watched.told(event);
                        },
                        end -> {
                            watched.closed();
                            if (!(end instanceof CompactedException) && !leaving) {
                                unexpected(end);
                            }
                        });
        begin(opening.thenApply(Optional::of), (open, failure) -> {
            if (open.isPresent() && !leaving) {
                watched.begun(run.events());
                watches.add(new Open(watched, open.get()));
            } else {
                watched.closed();
                open.ifPresent(Subscription::close);
            }
        });
    }

    private static void unwatch(Open open) {
        open.subscription().close();
        open.watched().closed();
    }

    // Begin and end ----------------------------------------------------------------------------------

    /** What is done with an answer; without failure and answer, it was one that means no. */
    interface Ending<T> {
        void with(Optional<T> answer, @Nullable Throwable failure);
    }

    <T> void begin(CompletableFuture<Optional<T>> answer, Ending<T> ending) {
        underWay++;
        var unused = answer.whenComplete((found, failure) -> {
            underWay--;
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                note("is told: " + cause);
                if (!isExpected(cause)) {
                    unexpected(cause);
                }
                ending.with(Optional.empty(), cause);
            } else {
                ending.with(found, null);
            }
        });
    }

    private static boolean isExpected(@Nullable Throwable failure) {
        return failure instanceof HoldfastException || failure instanceof CancellationException;
    }

    private void unexpected(@Nullable Throwable failure) {
        run.findings().report("errors", clientId + " was told " + failure);
    }

    void note(String what) {
        client.process().world().note(client.process().name(), () -> what);
    }

    /** Wants no more, and gives back what it has. */
    void leave() {
        leaving = true;
        elections.leave();
        giveAllBack();
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Everything that it began has come to its end. */
    void rest() {
        elections.rest();
    }

    private void giveAllBack() {
        List<Grant> all = List.copyOf(held);
        held.clear();
        all.forEach(this::release);
    }

    /** The cluster that it knew is no more: it wants nothing further, and believes what it believes. */
    void retire() {
        leaving = true;
        watches.forEach(open -> open.watched().closed());
    }

    /** Its process died: nobody will tell it anything any more. */
    void died() {
        leaving = true;
        underWay = 0;
        watches.forEach(open -> open.watched().closed());
    }

    /** Closes the client. */
    void close() {
        watches.forEach(open -> open.watched().closed());
        var unused = core().session().close();
    }
}
