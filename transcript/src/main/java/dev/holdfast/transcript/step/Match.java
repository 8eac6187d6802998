package dev.holdfast.transcript.step;

import dev.holdfast.core.FencingToken;
import dev.holdfast.core.LockKey;
import java.util.List;

/** What stands in the slots of a form, in order. */
record Match(List<String> values) {

    /** A word, or what stands between the quotes. */
    String text(int slot) {
        String value = values.get(slot);
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    LockKey key(int slot) {
        return keyOf(values.get(slot));
    }

    static LockKey keyOf(String word) {
        String name = new Match(List.of(word)).text(0);
        if (name.isEmpty()) {
            throw new TranscriptException("a key must not be empty");
        }
        return LockKey.of(name);
    }

    long number(int slot) {
        return numberOf(values.get(slot));
    }

    int smallNumber(int slot) {
        long number = number(slot);
        if (number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
            throw new TranscriptException("the number " + number + " is too large here");
        }
        return (int) number;
    }

    /** In milliseconds. */
    long duration(int slot) {
        String value = values.get(slot);
        int digits = value.length();
        while (!Character.isDigit(value.charAt(digits - 1))) {
            digits--;
        }
        try {
            return Math.multiplyExact(numberOf(value.substring(0, digits)), millisPer(value.substring(digits)));
        } catch (ArithmeticException e) {
            throw new TranscriptException("the duration " + value + " is too long");
        }
    }

    long token(int slot) {
        String value = values.get(slot);
        int colon = value.indexOf(':');
        if (colon < 0) {
            return numberOf(value);
        }
        long epoch = numberOf(value.substring(0, colon));
        return epoch << FencingToken.REVISION_BITS | numberOf(value.substring(colon + 1));
    }

    private static long millisPer(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 86_400_000;
        };
    }

    private static long numberOf(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new TranscriptException("the number " + digits + " is too large");
        }
    }
}
