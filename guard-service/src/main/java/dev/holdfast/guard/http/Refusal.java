package dev.holdfast.guard.http;

import dev.holdfast.guard.GuardException;
import dev.holdfast.guard.InvalidAccessException;
import dev.holdfast.guard.OutOfOrderException;
import dev.holdfast.guard.StaleTokenException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A guard's refusal as the caller sees it, in the form of all Holdfast errors.
 *
 * @param status the HTTP status
 * @param field which part of the request was wrong; empty if none
 * @param tokens what was compared, by name
 */
public record Refusal(String code, int status, String message, String field, Map<String, Long> tokens) {
    public Refusal {
        tokens = new LinkedHashMap<>(tokens);
    }

    /** Returns the refusal for an exception; empty if it did not come from a guard. */
    public static Optional<Refusal> of(RuntimeException failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof GuardException refused) {
            return Optional.of(of(refused, message));
        }
        if (failure instanceof InvalidAccessException wrong) {
            return Optional.of(new Refusal("INVALID_ARGUMENT", 400, message, wrong.field(), Map.of()));
        }
        return failure instanceof UncheckedIOException ? Optional.of(unavailable(message)) : Optional.empty();
    }

    private static Refusal of(GuardException refused, String message) {
        return switch (refused.kind()) {
            case STALE_TOKEN -> {
                StaleTokenException stale = (StaleTokenException) refused;
                Map<String, Long> tokens = new LinkedHashMap<>();
                tokens.put("presented", stale.presented());
                tokens.put("highest", stale.highest());
                yield new Refusal("STALE_TOKEN", 412, message, "token", tokens);
            }
            case OUT_OF_ORDER ->
                new Refusal(
                        "STALE_SEQUENCE",
                        412,
                        message,
                        "sequence",
                        Map.of("last", ((OutOfOrderException) refused).last()));
            case GUARD_FULL -> new Refusal("QUOTA_EXCEEDED", 429, message, "key", Map.of());
            case GUARD_BUSY -> unavailable(message);
        };
    }

    private static Refusal unavailable(String message) {
        return new Refusal("UNAVAILABLE", 503, message, "", Map.of());
    }

    /** Returns the refusal as JSON. Tokens are strings, because many parsers' numbers end at 2^53. */
    public String json() {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("error", code);
        members.put("message", message);
        members.put("field", field);
        tokens.forEach((name, token) -> members.put(name, Long.toString(token)));
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ":" + quoted(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** In ASCII, so that it fits into any header, too. */
    private static String quoted(String text) {
        return text.chars()
                .mapToObj(c -> c == '"' || c == '\\'
                        ? "\\" + (char) c
                        : c < ' ' || c > '~' ? String.format("\\u%04x", c) : Character.toString((char) c))
                .collect(Collectors.joining("", "\"", "\""));
    }
}
