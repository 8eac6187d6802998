package dev.holdfast.cli.lock;

import dev.holdfast.client.api.Slots;
import dev.holdfast.protocol.v1.Hold;
import dev.holdfast.protocol.v1.Kind;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The protocol's terms as tables show them. */
final class Words {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private static final int RANGES_SHOWN = 3;

    private Words() {}

    /** How something is held: {@code exclusive}, {@code permit 2}, {@code permits 0-3, 7}, {@code shared subtree}. */
    static String mode(Hold hold) {
        if (hold.getKind() == Kind.PERMITS) {
            return (hold.getCount() == 1 ? "permit " : "permits ") + shortened(Slots.ofRanges(hold.getSlotsList()));
        }
        return lower(hold.getMode()) + (hold.getKind() == Kind.SUBTREE ? " subtree" : "");
    }

    /** A table has room for a few ranges; the others are counted. */
    private static String shortened(Slots slots) {
        if (slots.ranges() <= RANGES_SHOWN) {
            return slots.toString();
        }
        List<Integer> first = new ArrayList<>();
        for (int range = 0; range < RANGES_SHOWN; range++) {
            first.add(slots.first(range));
            first.add(slots.last(range));
        }
        Slots shown = Slots.ofRanges(first);
        return shown + " and " + (slots.size() - shown.size()) + " more";
    }

    static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** In this machine's time zone, for people. */
    static String time(long wallMillis) {
        return TIME.format(Instant.ofEpochMilli(wallMillis).atZone(ZoneId.systemDefault()));
    }
}
