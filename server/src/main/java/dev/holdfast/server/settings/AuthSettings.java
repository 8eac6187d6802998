package dev.holdfast.server.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How clients prove who they are: by a signed token.
 *
 * @param keys the file with the keys that tokens are checked with: a JWK set, a public key in PEM form, or a secret
 * @param audience the audience a token must name
 * @param issuer the issuer a token must name, if only one may sign them
 */
public record AuthSettings(Path keys, String audience, Optional<String> issuer) {}
