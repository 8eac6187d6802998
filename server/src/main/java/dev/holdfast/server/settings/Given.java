package dev.holdfast.server.settings;

/**
 * A value as it was written, and where.
 *
 * @param name what it is called there: a key, or an environment variable
 */
record Given(String name, String text, Origin origin) {
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
