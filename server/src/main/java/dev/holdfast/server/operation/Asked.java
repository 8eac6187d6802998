package dev.holdfast.server.operation;

import dev.holdfast.server.access.Caller;
import java.util.Map;

/**
 * Who asked, and what the request called the things a rejection may be about.
 *
 * @param leaseField the field that named the lease
 * @param lease the lease's id, 0 if the caller does not know of leases
 * @param keyField the field that named the key
 * @param fields the machine's own names of other fields, and what the request calls them
 * @param caller who asked, and is told only of keys that it may read
 */
public record Asked(String leaseField, long lease, String keyField, Map<String, String> fields, Caller caller) {

    /** What the request calls a field that the machine calls this. */
    public String field(String name) {
        return fields.getOrDefault(name, name);
    }
}
