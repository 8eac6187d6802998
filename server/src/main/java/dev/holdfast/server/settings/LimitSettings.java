package dev.holdfast.server.settings;

/**
 * What a node guards itself by. Limits on locks and leases are not here: those are the same on every node.
 *
 * @param principalRate requests that one caller may make in a second; 0 for any number
 * @param tenantRate requests that all callers of a tenant may make in a second; 0 for any number
 * @param connections open connections on the client port
 * @param streams calls and streams that are open on one connection
 * @param watches open watches of one caller
 * @param tenantWatches open watches of all callers of a tenant
 */
public record LimitSettings(
        int principalRate, int tenantRate, int connections, int streams, int watches, int tenantWatches) {}
