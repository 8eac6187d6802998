package dev.holdfast.server.settings;

/**
 * What a node limits by itself. Limits on locks and leases are not here: those are the same on every node.
 *
 * @param principalRate requests that one caller may make per second; 0 for no limit
 * @param tenantRate requests that all callers of a tenant may make per second; 0 for no limit
 * @param connections open connections on the client port
 * @param streams calls and streams that are open on one connection
 * @param watches open watches of one caller
 * @param tenantWatches open watches of all callers of a tenant
 * @param unreadBytes kept for clients that do not read them; a quarter of it for those of one caller
 */
public record LimitSettings(
        int principalRate,
        int tenantRate,
        int connections,
        int streams,
        int watches,
        int tenantWatches,
        long unreadBytes) {
    private static final long MOST_UNREAD_BYTES = 256L * 1024 * 1024;
    private static final int HEAP_SHARE = 8;

    /** An eighth of the heap, and 256 MiB at most. */
    public static long defaultUnreadBytes() {
        return Math.min(Runtime.getRuntime().maxMemory() / HEAP_SHARE, MOST_UNREAD_BYTES);
    }
}
