package dev.holdfast.guard.file;

import dev.holdfast.guard.Access;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a holder began to do to a file. It stands in the mark file until it is done, so that whoever comes after a crash
 * can tell what became of it.
 */
sealed interface Pending {
    Pending NOTHING = new Nothing();

    record Nothing() implements Pending {
        @Override
        public String text() {
            return "-";
        }

        @Override
        public Kind kind() {
            return Kind.NOTHING;
        }
    }

    /** Bytes are being added behind this length: what is there is not done, and goes. */
    record Append(long length) implements Pending {
        @Override
        public String text() {
            return "append:" + length;
        }

        @Override
        public Kind kind() {
            return Kind.APPEND;
        }
    }

    /** A numbered write puts other contents in place: it is done if they are there. */
    record Replace(long token, long sequence, long length, long checksum) implements Pending {
        static Replace by(Access access, Contents contents) {
            return new Replace(access.token(), access.sequence(), contents.length(), contents.checksum());
        }

        @Override
        public String text() {
            return "replace:" + token + ":" + sequence + ":" + length + ":" + checksum;
        }

        @Override
        public Kind kind() {
            return Kind.REPLACE;
        }

        Access access(String key) {
            return Access.exclusive(key, token).write(sequence);
        }

        Contents contents() {
            return new Contents(length, checksum);
        }
    }

    /** Every kind of work that may be begun. */
    enum Kind {
        NOTHING,
        APPEND,
        REPLACE
    }

    /** For a {@code switch} that names every kind: a new one does not compile until it is named. */
    Kind kind();

    String text();

    static Pending parse(String text) {
        Matcher append = Pattern.compile("append:(\\d+)").matcher(text);
        if (append.matches()) {
            return new Append(Long.parseLong(append.group(1)));
        }
        Matcher replace = Pattern.compile("replace:(\\d+):(\\d+):(\\d+):(\\d+)").matcher(text);
        if (replace.matches()) {
            return new Replace(
                    Long.parseLong(replace.group(1)),
                    Long.parseLong(replace.group(2)),
                    Long.parseLong(replace.group(3)),
                    Long.parseLong(replace.group(4)));
        }
        return NOTHING;
    }
}
