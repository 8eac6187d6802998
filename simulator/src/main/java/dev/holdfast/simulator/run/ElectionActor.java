package dev.holdfast.simulator.run;

import dev.holdfast.client.api.Deposition;
import dev.holdfast.client.api.Election;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.simulator.promise.BelievedGrant;
import dev.holdfast.simulator.promise.Findings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A candidate in an election: campaigns, changes its mind, proclaims, resigns. What it is told must come in pairs. */
final class ElectionActor {
    private static final String PROMISE = "election";

    private final Actor actor;
    private final Election election;
    private final RandomGenerator chance;
    private final Findings findings;
    private final Duration ttl;
    /** The last one; over from the beginning. */
    private CompletableFuture<Leadership> campaign =
            CompletableFuture.failedFuture(new CancellationException("there was none yet"));

    private @Nullable Leadership told;
    private long lastEpoch;

    ElectionActor(Actor actor, Election election, RandomGenerator chance, Findings findings, Duration ttl) {
        this.actor = actor;
        this.election = election;
        this.chance = chance;
        this.findings = findings;
        this.ttl = ttl;
        var unused = election.onElected(this::elected).onDeposed(this::deposed);
    }

    /** Goes on from where it stands. */
    void act() {
        if (!campaign.isDone()) {
            changeItsMind();
        } else if (!election.isLeader()) {
            campaign();
        } else if (chance.nextInt(3) == 0) {
            actor.note("proclaims something else in " + election.key());
            actor.begin(election.proclaimAsync("other").thenApply(Optional::of), (now, failure) -> {});
        } else {
            resign();
        }
    }

    private void campaign() {
        actor.note("campaigns in " + election.key());
        campaign = election.campaignAsync("first");
        actor.begin(
                campaign.thenApply(Optional::of),
                (found, failure) -> found.ifPresent(leadership -> {
                    actor.note("leads " + election.key() + " by " + leadership.epoch());
                    actor.believes(new Reign(election, leadership.epoch(), ttl));
                    if (actor.isLeaving()) {
                        resign();
                    }
                }));
    }

    private void changeItsMind() {
        switch (chance.nextInt(6)) {
            case 0 -> campaign.cancel(false);
            case 1 -> resign();
            default -> actor.note("still campaigns in " + election.key());
        }
    }

    private void resign() {
        actor.note("resigns in " + election.key());
        actor.begin(election.resignAsync().thenApply(Optional::of), (led, failure) -> {});
    }

    void leave() {
        resign();
    }

    // What it is told --------------------------------------------------------------------------------

    private void elected(Leadership leadership) {
        if (told != null || leadership.epoch() <= lastEpoch) {
            findings.report(PROMISE, "elected by " + leadership + " after " + lastEpoch + ", and leads as " + told);
        }
        told = leadership;
        lastEpoch = leadership.epoch();
    }

    private void deposed(Deposition deposition) {
        Leadership led = told;
        if (led == null || led.epoch() != deposition.leadership().epoch()) {
            findings.report(PROMISE, deposition + " of one who leads as " + led);
        }
        told = null;
    }

    /** It resigned, and must have been told. */
    void rest() {
        if (told != null || election.isLeader()) {
            findings.report(PROMISE, "one who has resigned still leads as " + told);
        }
    }

    /**
     * What it believes when it is elected.
     *
     * @param remaining not what is left, which nobody is told, but what there is at the most
     */
    private record Reign(Election election, long token, Duration remaining) implements BelievedGrant {
        @Override
        public boolean isValid() {
            return election.isLeader() && election.epoch() == token;
        }
    }
}
