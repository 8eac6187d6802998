package dev.holdfast.transcript.step;

import dev.holdfast.core.Item;
import dev.holdfast.core.Kind;
import dev.holdfast.core.LockKey;
import dev.holdfast.core.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is asked for: {@code orders/42}, {@code shared a and b}, {@code the tree orders}, {@code 2 of 4 permits of gpu}. */
final class Items {
    private static final Pattern ITEM = Pattern.compile("(?<shared>shared +)?"
            + "(?:(?<count>-?\\d+) +of +(?<capacity>-?\\d+) +permits? +of +)?"
            + "(?<tree>the +(?<sharedTree>shared +)?tree +)?"
            + "(?<key>" + Slot.KEY.pattern() + ")");

    private Items() {}

    /** {@code nothing} is an empty list, which the machine refuses. */
    static List<Item> parse(String text) {
        List<Item> items = new ArrayList<>();
        if (text.equals("nothing")) {
            return items;
        }
        for (String part : text.split(" +and +", -1)) {
            items.add(item(part));
        }
        return items;
    }

    private static Item item(String text) {
        Matcher matcher = ITEM.matcher(text);
        if (!matcher.matches()) {
            throw new TranscriptException("\"" + text + "\" is nothing to lock; expected KEY, \"shared KEY\","
                    + " \"the tree KEY\", \"the shared tree KEY\" or \"2 of 4 permits of KEY\", joined by \"and\"");
        }
        LockKey key = Match.keyOf(matcher.group("key"));
        boolean shared = matcher.group("shared") != null || matcher.group("sharedTree") != null;
        Mode mode = shared ? Mode.SHARED : Mode.EXCLUSIVE;
        if (matcher.group("count") != null) {
            int count = new Match(List.of(matcher.group("count"))).smallNumber(0);
            int capacity = new Match(List.of(matcher.group("capacity"))).smallNumber(0);
            return new Item(key, Kind.PERMITS, mode, capacity, count);
        }
        return new Item(key, matcher.group("tree") != null ? Kind.SUBTREE : Kind.PLAIN, mode, 0, 0);
    }
}
