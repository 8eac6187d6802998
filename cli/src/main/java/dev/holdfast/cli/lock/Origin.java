package dev.holdfast.cli.lock;

import com.google.protobuf.ByteString;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a holder or waiter is, as Java clients say it in their metadata unless they say something else there.
 *
 * @param host empty if it is not said
 * @param process its number on that host; empty if it is not said
 * @param note whatever else the metadata says; empty if it is in that form
 */
record Origin(String host, String process, String note) {
    private static final Pattern FORM = Pattern.compile("host=(\\S+) process=([0-9]+)( thread=.*)?");

    static Origin of(ByteString metadata) {
        String text = metadata.isValidUtf8() ? metadata.toStringUtf8() : metadata.size() + " bytes";
        Matcher matcher = FORM.matcher(text);
        return matcher.matches() ? new Origin(matcher.group(1), matcher.group(2), "") : new Origin("", "", text);
    }

    /** {@code (host web-1, process 4711)}, or what else is said; empty if nothing is. */
    String text() {
        return host.isEmpty() ? note : "host " + host + ", process " + process;
    }
}
