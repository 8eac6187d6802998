package dev.holdfast.client.election;

import dev.holdfast.client.api.Grant;
import dev.holdfast.client.api.Leadership;
import dev.holdfast.client.api.LockInfo;
import dev.holdfast.client.api.Loss;
import dev.holdfast.client.api.Metadata;
import dev.holdfast.client.core.ClientCore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One leadership of this candidate, while it lasts. */
final class Term {
    private final ClientCore core;
    private final Grant grant;
    private volatile Leadership leadership;

    Term(ClientCore core, Grant grant, String value) {
        this.core = core;
        this.grant = grant;
        this.leadership = new Leadership(value, core.session().clientId(), grant.token());
    }

    Grant grant() {
        return grant;
    }

    Leadership leadership() {
        return leadership;
    }

    boolean isValid() {
        return grant.isValid();
    }

    void proclaim(String value) throws InterruptedException {
        grant.describe(Metadata.of(value).bytes());
        var unused = proclaimed(value);
    }

    CompletableFuture<Leadership> proclaimAsync(String value) {
        return grant.describeAsync(Metadata.of(value).bytes()).thenApply(done -> proclaimed(value));
    }

    private Leadership proclaimed(String value) {
        Leadership now = new Leadership(value, leadership.holder(), leadership.epoch());
        leadership = now;
        return now;
    }

    /** How it ended, given that it is not valid any more. */
    Loss loss() {
        return core.grants()
                .lossOf(grant)
                .orElseGet(() -> new Loss(Loss.Reason.UNREACHABLE, "no answer came before its deadline"));
    }

    /** Who leads, by what the cluster says of the election's lock. */
    static Optional<Leadership> leader(LockInfo lock) {
        return lock.holders().stream()
                .filter(holder -> !holder.lost())
                .findFirst()
                .map(holder -> new Leadership(holder.metadata().text(), holder.client(), holder.token()));
    }
}
