package dev.holdfast.client.election;

import dev.holdfast.client.api.Deposition;
import dev.holdfast.client.api.Election;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.client.api.LockLostException;
import dev.holdfast.client.api.Subscription;
import dev.holdfast.client.core.ClientCore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A candidate in an election, over the election's lock. */
public final class ClusterElection implements Election {
    private final ClientCore core;
    private final String key;
    private final Candidate candidate;

    public ClusterElection(ClientCore core, String key) {
        this.core = core;
        this.key = key;
        this.candidate = new Candidate(core, key);
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public Leadership campaign(String value) throws InterruptedException {
        return candidate.campaign(value);
    }

    @Override
    public CompletableFuture<Leadership> campaignAsync(String value) {
        return candidate.campaignAsync(value);
    }

    @Override
    public void proclaim(String value) throws InterruptedException {
        leading().proclaim(value);
    }

    @Override
    public CompletableFuture<Leadership> proclaimAsync(String value) {
        return leading().proclaimAsync(value);
    }

    @Override
    public void resign() throws InterruptedException {
        Optional<Term> left = candidate.resign();
        if (left.isPresent()) {
            var unused = left.get().grant().release();
        }
    }

    @Override
    public CompletableFuture<Boolean> resignAsync() {
        return candidate
                .resign()
                .map(left -> left.grant().releaseAsync().thenApply(outcome -> true))
                .orElseGet(() -> CompletableFuture.completedFuture(false));
    }

    @Override
    public boolean isLeader() {
        return candidate.term().filter(Term::isValid).isPresent();
    }

    @Override
    public long epoch() {
        return leading().leadership().epoch();
    }

    private Term leading() {
        return candidate
                .term()
                .filter(Term::isValid)
                .orElseThrow(() -> new LockLostException("this candidate does not lead " + key));
    }

    @Override
    public Optional<Leadership> leader() throws InterruptedException {
        return Term.leader(core.queries().getAt(key).lock());
    }

    @Override
    public Subscription observe(Consumer<Leadership> observer) throws InterruptedException {
        LeaderObserver leaders = new LeaderObserver(core, key, observer);
        leaders.begin();
        return leaders;
    }

    @Override
    public Election onElected(Consumer<Leadership> listener) {
        candidate.onElected(listener);
        return this;
    }

    @Override
    public Election onDeposed(Consumer<Deposition> listener) {
        candidate.onDeposed(listener);
        return this;
    }

    /**
     * Resigns, and waits briefly for the listeners to be called; none is called afterwards. If a listener blocks for
     * longer, the remaining calls are dropped. From within a listener it does not wait: the remaining calls follow when
     * that listener returns.
     */
    @Override
    public void close() {
        candidate.close();
    }
}
