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
        int principalRate, int tenantRate, int connections, int streams, int watches, int tenantWatches) {
    private static final int MOST = 10_000_000;

    static LimitSettings read(Values values) {
        return new LimitSettings(
                number(values, Setting.LIMIT_RATE, 0),
                number(values, Setting.LIMIT_RATE_TENANT, 0),
                number(values, Setting.LIMIT_CONNECTIONS, 1),
                number(values, Setting.LIMIT_STREAMS, 1),
                number(values, Setting.LIMIT_WATCHES, 1),
                number(values, Setting.LIMIT_WATCHES_TENANT, 1));
    }

    private static int number(Values values, Setting setting, int fewest) {
        return values.read(setting, text -> {
                    if (!text.matches("\\d{1,8}") || Integer.parseInt(text) < fewest || Integer.parseInt(text) > MOST) {
                        throw new IllegalArgumentException("must be a number from " + fewest + " to " + MOST);
                    }
                    return Integer.parseInt(text);
                })
                .orElse(fewest);
    }
}
