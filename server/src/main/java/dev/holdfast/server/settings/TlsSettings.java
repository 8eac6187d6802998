package dev.holdfast.server.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node finds its certificates and keys, all in PEM form. What the files say is read when the node starts, and
 * again when they change.
 *
 * @param certificate the node's certificate and those between it and its authority
 * @param memberAuthority whose certificates make a node a member
 * @param clientAuthority whose certificates clients have to show; without it they need none
 */
public record TlsSettings(Path certificate, Path key, Optional<Path> memberAuthority, Optional<Path> clientAuthority) {}
