package dev.holdfast.server.settings;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network address: a host name or a literal IP address, and a port.
 *
 * @param host without the brackets of an IPv6 address
 */
public record HostPort(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+)):(\\d{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|::1|(0:){7}1");
    private static final Pattern WILDCARD = Pattern.compile("0\\.0\\.0\\.0|::|(0:){7}0");
    private static final int HIGHEST_PORT = 65_535;

    public static HostPort parse(String text) {
        Matcher matcher = FORM.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : 0;
        if (port < 1 || port > HIGHEST_PORT) {
            throw new IllegalArgumentException(
                    "must be host:port with a port from 1 to 65535, such as 127.0.0.1:4600 or [::1]:4600");
        }
        String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return new HostPort(host, port);
    }

    /** By its spelling only: asking a name service would make the answer depend on when it is asked. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }

    /** Whether it stands for every address of this machine: to be bound to, but nothing one could connect to. */
    public boolean isWildcard() {
        return WILDCARD.matcher(host).matches();
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
