package dev.holdfast.client.api;

/**
 * Who leads.
 *
 * @param value what the leader says about itself, such as its address
 * @param holder its client id
 * @param epoch the fencing token: higher than that of every leader before
 */
public record Leadership(String value, String holder, long epoch) {}
