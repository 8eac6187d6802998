package dev.holdfast.server.settings.source;

/**
 * A value as it was written, and where.
 *
 * @param name what it is called there: a key, or an environment variable
 * @param origin where it was written: {@code holdfast.conf:3}, {@code environment}, {@code flag}, {@code default}
 */
record Given(String name, String text, String origin) {
    static final String DEFAULT = "default";
    static final String ENVIRONMENT = "environment";
    static final String FLAG = "flag";

    @Override
    public String toString() {
        return name + " = " + quoted(text) + " (" + origin + ")";
    }

    /** In quotes and on one line: what comes from outside must not look like a line of ours. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
