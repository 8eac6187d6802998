package dev.holdfast.datastore;

/**
 * What is stored under a key.
 *
 * @param clientId who wrote it
 * @param token under which token
 */
public record Value(String clientId, long token, String data) {}
