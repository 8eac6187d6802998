package dev.holdfast.server.rest;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.Limit;
import dev.holdfast.core.Metadata;
import dev.holdfast.core.Mode;
import dev.holdfast.core.command.Command;
import dev.holdfast.server.access.Caller;
import dev.holdfast.server.access.Verb;
import dev.holdfast.server.json.Fields;
import dev.holdfast.server.operation.Bounds;
import dev.holdfast.server.request.Rejected;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What somebody asks for who wants a lock.
 *
 * @param clientId who the lock is for, as others see it
 * @param waitMillis 0 not to wait
 * @param staleDenial any node may refuse from what it knows
 * @param text the whole request as text: another request has another. Made when it is asked for, which is seldom
 */
record AcquireRequest(
        String clientId,
        List<Item> items,
        long ttlMillis,
        long waitMillis,
        long maxHoldMillis,
        long lockDelayMillis,
        String purpose,
        Metadata metadata,
        boolean staleDenial,
        Supplier<String> text) {
    static final String RESOURCE = "resourceId";
    private static final long DEFAULT_TTL_MILLIS = 30_000;
    private static final long DEFAULT_WAIT_MILLIS = 30_000;
    private static final long LONGEST_WAIT_MILLIS = 3_600_000;

    /** The only request of its lease. */
    static final long SEQ = 1;

    /** Reads a request. Refuses what a command cannot express; all else is for the machine to judge. */
    static AcquireRequest read(Fields fields, Caller caller, Bounds bounds) {
        List<Item> items = items(fields, bounds);
        // Before anything begins: the lease is asked for together with the lock, and all of a batch or none of it.
        items.forEach(item -> caller.require(Verb.LOCK, item.key()));
        String known = caller.principal().isEmpty() ? caller.host() : caller.principal();
        AcquireRequest request = new AcquireRequest(
                bounds.text(fields.name("clientId"), fields.text("clientId").orElse(known), Limit.CLIENT_ID_BYTES),
                items,
                positive(fields, "ttl", DEFAULT_TTL_MILLIS),
                waitMillis(fields),
                positive(fields, "maxHold", 0),
                positive(fields, "lockDelay", 0),
                bounds.text(fields.name("purpose"), fields.text("purpose").orElse(""), Limit.PURPOSE_BYTES),
                metadata(fields, bounds),
                fields.flag("staleDenial").orElse(false),
                fields::canonical);
        if (request.staleDenial() && request.waitMillis() > 0) {
            throw Rejected.invalid(fields.name("staleDenial"), "is for requests that do not wait");
        }
        fields.done();
        return request;
    }

    private static long positive(Fields fields, String field, long ifNone) {
        long millis = fields.millis(field).orElse(ifNone);
        if (millis <= 0 && millis != ifNone) {
            throw Rejected.invalid(
                    fields.name(field), 1, millis, millis + " ms is not a valid duration; give a " + "positive number");
        }
        return millis;
    }

    private static long waitMillis(Fields fields) {
        boolean blocking = fields.flag("blocking").orElse(false);
        Optional<Long> timeout = fields.millis("timeout");
        if (!blocking) {
            timeout.ifPresent(given -> {
                throw Rejected.invalid(fields.name("timeout"), "is given without \"blocking\": true");
            });
            return 0;
        }
        long millis = timeout.orElse(DEFAULT_WAIT_MILLIS);
        if (millis < 1 || millis > LONGEST_WAIT_MILLIS) {
            throw Rejected.invalid(
                    fields.name("timeout"),
                    LONGEST_WAIT_MILLIS,
                    millis,
                    millis + " ms is out of bounds, the limit is " + LONGEST_WAIT_MILLIS + " ms");
        }
        return millis;
    }

    private static List<Item> items(Fields fields, Bounds bounds) {
        Optional<List<Fields>> set = fields.objects("resources");
        if (set.isEmpty()) {
            return List.of(item(fields, bounds));
        }
        if (fields.text(RESOURCE).isPresent()) {
            throw Rejected.invalid(fields.name(RESOURCE), "is given beside resources; give one of them");
        }
        if (set.get().isEmpty()) {
            throw Rejected.invalid(fields.name("resources"), "is empty; name a resource");
        }
        bounds.size(fields.name("resources"), set.get().size(), Limit.KEYS_PER_REQUEST);
        List<Item> items = new ArrayList<>(set.get().size());
        for (Fields each : set.get()) {
            items.add(item(each, bounds));
            each.done();
        }
        return items;
    }

    /** Permits are asked for by naming a capacity. */
    private static Item item(Fields fields, Bounds bounds) {
        Optional<Long> capacity = fields.integer("capacity");
        Optional<Long> permits = fields.integer("permits");
        Kind kind = fields.choice("kind", Kind.class)
                .orElse(capacity.isPresent() || permits.isPresent() ? Kind.PERMITS : Kind.PLAIN);
        return new Item(
                bounds.key(fields.name(RESOURCE), fields.text(RESOURCE).orElse("")),
                kind,
                fields.choice("mode", Mode.class).orElse(Mode.EXCLUSIVE),
                number(fields.name("capacity"), capacity.orElse(0L)),
                number(fields.name("permits"), permits.orElse(kind == Kind.PERMITS ? 1L : 0L)));
    }

    private static int number(String field, long value) {
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw Rejected.invalid(field, value + " is out of bounds");
        }
        return (int) value;
    }

    private static Metadata metadata(Fields fields, Bounds bounds) {
        byte[] bytes = fields.textOrObject("metadata").orElse("").getBytes(StandardCharsets.UTF_8);
        bounds.size(fields.name("metadata"), bytes.length, Limit.METADATA_BYTES);
        return Metadata.of(bytes);
    }

    /** The lease that is the lock's own. */
    Command.GrantLease start(Credential credential, String principal) {
        return new Command.GrantLease(credential.lease(), principal, clientId, ttlMillis, lockDelayMillis);
    }

    Command.Acquire acquire(Credential credential, String principal) {
        return new Command.Acquire(
                credential.lease(),
                principal,
                SEQ,
                0,
                items,
                0,
                0,
                waitMillis,
                maxHoldMillis,
                waitMillis > 0,
                purpose,
                metadata);
    }
}
