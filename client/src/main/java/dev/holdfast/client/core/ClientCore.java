package dev.holdfast.client.core;

import dev.holdfast.client.grant.Grants;
import dev.holdfast.client.lease.Leases;
import dev.holdfast.client.query.ClusterQueries;
import dev.holdfast.client.session.Session;
import dev.holdfast.client.watch.Watches;
import java.util.List;

/** One client's session with all that it is used for. */
public final class ClientCore {
    private final Session session;
    private final Grants grants;
    private final Watches watches;
    private final ClusterQueries queries;
    private final ClusterQueries staleQueries;

    public ClientCore(Session session) {
        this.session = session;
        Leases leases = new Leases(session);
        this.grants = new Grants(session, leases);
        this.watches = new Watches(session);
        this.queries = new ClusterQueries(session.calls(), leases, false);
        this.staleQueries = new ClusterQueries(session.calls(), leases, true);
        session.use(List.of(leases, grants, watches));
    }

    public Session session() {
        return session;
    }

    public Grants grants() {
        return grants;
    }

    public Watches watches() {
        return watches;
    }

    public ClusterQueries queries() {
        return queries;
    }

    /** Queries that one node answers from what it knows. */
    public ClusterQueries staleQueries() {
        return staleQueries;
    }
}
