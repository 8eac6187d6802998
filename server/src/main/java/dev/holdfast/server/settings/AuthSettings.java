package dev.holdfast.server.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How clients prove who they are: by a signed token.
 *
 * @param keys the file with what tokens are signed by: a JWK set, a public key in PEM form, or a secret
 * @param audience whom a token must be meant for
 * @param issuer whom a token must be from, if only one may sign them
 */
public record AuthSettings(Path keys, String audience, Optional<String> issuer) {}
