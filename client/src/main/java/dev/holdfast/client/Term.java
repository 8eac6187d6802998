package dev.holdfast.client;

import dev.holdfast.client.session.Descriptions;
import dev.holdfast.client.session.Session;
import dev.holdfast.protocol.v1.GetResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One leadership of this candidate, while it lasts. */
final class Term {
    private final Session session;
    private final Grant grant;
    private volatile Leadership leadership;

    Term(Session session, Grant grant, String value) {
        this.session = session;
        this.grant = grant;
        this.leadership = new Leadership(value, session.clientId(), grant.token());
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
        return session.lossOf(grant)
                .orElseGet(() -> new Loss(Loss.Reason.UNREACHABLE, "no answer came before its deadline"));
    }

    /** Who leads, by what the cluster says of the election's lock. */
    static Optional<Leadership> leader(GetResponse response) {
        return Descriptions.lock(response.getLock()).holders().stream()
                .filter(holder -> !holder.lost())
                .findFirst()
                .map(holder -> new Leadership(holder.metadata().text(), holder.client(), holder.token()));
    }
}
