package dev.holdfast.server.settings;

import dev.holdfast.consensus.Member;
import java.nio.file.Path;

/**
 * Who a node is and what it does.
 *
 * @param region its failure domain; empty if not given
 */
public record IdentitySettings(String name, String region, Member.Part part, Path dataDirectory) {}
