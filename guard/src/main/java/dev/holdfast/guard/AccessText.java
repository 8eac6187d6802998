package dev.holdfast.guard;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.StringTokenizer;

/**
 * An access as one line of ASCII, as headers carry it: {@code orders/42=33}, with {@code ;shared}, {@code ;permit=2}
 * and {@code ;write=7} behind it as need be. Anything but letters, digits and {@code -._*~/} in the key is
 * percent-encoded.
 */
final class AccessText {
    private static final String WHAT = "an access is written like orders/42=33, orders/42=33;shared,"
            + " jobs=33;permit=2 or orders/42=33;write=7";

    private AccessText() {}

    static String write(Access access) {
        String key = URLEncoder.encode(access.key(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
        return key + "=" + access.token()
                + switch (access.mode()) {
                    case EXCLUSIVE -> "";
                    case SHARED -> ";shared";
                    case PERMIT -> ";permit=" + access.slot();
                }
                + (access.isNumbered() ? ";write=" + access.sequence() : "");
    }

    static Access parse(String text) {
        StringTokenizer parts = new StringTokenizer(text.strip(), ";");
        String first = parts.hasMoreTokens() ? parts.nextToken() : "";
        int equals = first.lastIndexOf('=');
        if (equals < 0) {
            throw new InvalidAccessException("token", "is absent; " + WHAT);
        }
        Access access = Access.exclusive(key(first.substring(0, equals)), number("token", first.substring(equals + 1)));
        while (parts.hasMoreTokens()) {
            access = with(access, parts.nextToken().strip());
        }
        return access;
    }

    private static Access with(Access access, String part) {
        if (part.equals("shared")) {
            return Access.shared(access.key(), access.token());
        }
        if (part.startsWith("permit=")) {
            long slot = number("slot", part.substring("permit=".length()));
            // A slot that is no int is none in any case; let the access say so.
            return Access.permit(access.key(), access.token(), (int) Math.max(-1, Math.min(slot, Integer.MAX_VALUE)));
        }
        if (part.startsWith("write=")) {
            return access.write(number("sequence", part.substring("write=".length())));
        }
        throw new InvalidAccessException("mode", "'" + shown(part) + "' is not known; " + WHAT);
    }

    private static String key(String encoded) {
        try {
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new InvalidAccessException("key", "'" + shown(encoded) + "' is not percent-encoded");
        }
    }

    private static long number(String field, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new InvalidAccessException(field, "must be a whole number below 2^63, is '" + shown(text) + "'");
        }
    }

    private static String shown(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }
}
