package dev.holdfast.server.fair;

/**
 * More than there is room for.
 *
 * @param limit the name of what is reached
 * @param most how much the one who is refused may have now
 * @param actual how much it would have
 * @param message for people
 */
public record Excess(String limit, long most, long actual, String message) {}
