package dev.holdfast.consensus.ratis;

/** An address as people write it: {@code host:port}, an IPv6 host in brackets. */
record HostPort(String host, int port) {

    static HostPort parse(String field, String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException(field + ": must be host:port, was \"" + text + '"');
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port;
        try {
            port = Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(field + ": port must be a number, was \"" + text + '"', e);
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(field + ": port must be between 1 and 65535, was " + port);
        }
        return new HostPort(host, port);
    }
}
