package dev.holdfast.transcript.player;

import dev.holdfast.core.LeaseId;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.event.Event;
import dev.holdfast.transcript.step.Act;
import dev.holdfast.transcript.step.TranscriptException;
import dev.holdfast.transcript.words.Phrases;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** What the clients of a transcript remember: their leases, their requests, their grants. */
final class Clients {
    private final Map<String, Client> byName = new HashMap<>();
    private final Map<Long, RequestBook> books = new HashMap<>();
    private long highestLease;

    private static final class Client {
        String principal = "";
        long lease;
        final Grants grants = new Grants();
    }

    /** The lease id that an opening uses; the client goes on with it. */
    LeaseId open(Act.OpenLease open) {
        Client client = client(open.name());
        long id = open.lease().orElse(highestLease + 1);
        if (id == 0) {
            throw new TranscriptException("a lease cannot have the number 0");
        }
        highestLease = Math.max(highestLease, id);
        client.lease = id;
        client.principal = open.principal().orElse(client.principal);
        return new LeaseId(id);
    }

    LeaseId lease(Act.Caller caller) {
        long id = caller.lease().orElseGet(() -> client(caller.name()).lease);
        if (id == 0) {
            throw new TranscriptException(
                    caller.name() + " has no lease yet; say \"" + caller.name() + " opens a lease for 10s\" first");
        }
        return new LeaseId(id);
    }

    String principal(Act.Caller caller) {
        return caller.principal().orElseGet(() -> principalOf(caller.name()));
    }

    String principalOf(String name) {
        return client(name).principal;
    }

    /** The lease opened last; empty if none was. */
    OptionalLong leaseOf(String name) {
        long id = client(name).lease;
        return id == 0 ? OptionalLong.empty() : OptionalLong.of(id);
    }

    RequestBook book(LeaseId lease) {
        return books.computeIfAbsent(lease.value(), id -> new RequestBook());
    }

    /** The token that was said, or that of the client's latest grant of the key. */
    long token(String name, LockKey key, OptionalLong said) {
        if (said.isPresent()) {
            return said.getAsLong();
        }
        return client(name)
                .grants
                .tokenFor(key)
                .orElseThrow(() -> new TranscriptException(name + " was never granted " + Phrases.key(key)
                        + "; say which grant is meant, as in \", with token 2\""));
    }

    void learn(Event event) {
        if (event instanceof Event.OfLocks ofLocks) {
            client(ofLocks.party().clientId()).grants.learn(event);
            book(ofLocks.party().lease()).learn(event);
        }
    }

    private Client client(String name) {
        return byName.computeIfAbsent(name, unknown -> new Client());
    }
}
