package dev.holdfast.transcript.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads lines one after the other and puts those of one entry together.
 *
 * <p>{@code in one entry:}, or {@code after 2s, in one entry:}, starts a block; its lines begin with
 * {@code - }; the first line that does not ends it.
 */
public final class StepReader {
    private static final Pattern BLOCK =
            Pattern.compile("(?:after +(" + Slot.DURATION.pattern() + ") *, *)?in one entry:");
    private static final String ITEM = "- ";

    private final List<Act> acts = new ArrayList<>();
    private boolean inBlock;
    private long afterMillis;

    /** Whether the line starts a block or goes on with it: then it gives no step yet. */
    public boolean takes(String line) {
        if (inBlock && line.startsWith(ITEM)) {
            acts.add(StepParser.parseAct(line.substring(ITEM.length()).trim()));
            return true;
        }
        Matcher start = BLOCK.matcher(line);
        if (inBlock || !start.matches()) {
            return false;
        }
        inBlock = true;
        afterMillis = start.group(1) == null ? 0 : StepParser.duration(start.group(1));
        return true;
    }

    /** The block that ends here, if one was begun. */
    public Optional<Step> end() {
        if (!inBlock) {
            return Optional.empty();
        }
        inBlock = false;
        Step.Entry entry = new Step.Entry(afterMillis, acts);
        acts.clear();
        if (entry.acts().isEmpty()) {
            throw new TranscriptException("\"in one entry:\" is followed by no line that begins with \"" + ITEM + "\"");
        }
        return Optional.of(entry);
    }
}
