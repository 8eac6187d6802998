package dev.holdfast.cli.lock;

import dev.holdfast.protocol.v1.Hold;
import dev.holdfast.protocol.v1.Kind;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The protocol's terms as tables show them. */
final class Words {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private Words() {}

    /** How something is held: {@code exclusive}, {@code shared}, {@code permit 2}, {@code shared subtree}. */
    static String mode(Hold hold) {
        if (hold.getKind() == Kind.PERMITS) {
            return "permit " + hold.getSlot();
        }
        return lower(hold.getMode()) + (hold.getKind() == Kind.SUBTREE ? " subtree" : "");
    }

    static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** In this machine's time zone, for people. */
    static String time(long wallMillis) {
        return TIME.format(Instant.ofEpochMilli(wallMillis).atZone(ZoneId.systemDefault()));
    }
}
